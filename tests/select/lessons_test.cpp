// What jobs have learned: merged, written, read, and kept where several jobs write at once.
#include "select/lessons.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "select/size_class.hpp"

using namespace hopbine;
using namespace hopbine::select;

namespace {

/// A rule for one size class, as a job learns it.
Rule lesson(Collective c, int size_class, const std::string& algorithm,
            const std::string& placement = "1x4") {
    Rule r{c, algorithm, {}, {}};
    r.ranks = {4, 4};
    r.bytes = sizes_of(size_class);
    r.mpi = "Open MPI v4.1.4";
    r.placement = placement;
    r.measured[r.bytes.high] = algorithm + " 1 us";
    return r;
}

std::string answer(const std::vector<Rule>& rules, Collective c, std::int64_t bytes,
                   Operands operands, const Site& site) {
    const Rules all{rules};
    const Choice choice = choose({&all}, {c, 4, bytes, operands, 1, 4, &site});
    if (!choice.found) return "none";
    return choice.algorithm ? text(choice.algorithm->name, choice.parameters) + choice.numbering
                            : kLibrary;
}

class Folder {
public:
    Folder() { ::mkdtemp(name_.data()); }
    ~Folder() { std::filesystem::remove_all(name_); }
    std::string file(const std::string& name) const { return name_ + '/' + name; }
    std::size_t files() const {
        std::size_t n = 0;
        for (const auto& entry : std::filesystem::directory_iterator(name_)) n += entry.exists();
        return n;
    }

private:
    std::string name_ = "/tmp/hopbine_lessons_XXXXXX";
};

std::string complaint(const std::string& path) {
    try {
        keep_lessons(path, {lesson(Collective::bcast, 5, "mpi")});
    } catch (const Error& e) {
        return e.what();
    }
    return "kept";
}

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace

TEST(SizeClass, HoldsItsBytes) {
    for (int k = 0; k <= 64; ++k) {
        const Range all = sizes_of(k);
        EXPECT_EQ(size_class(all.low), k);
        EXPECT_EQ(size_class(all.high), k);
        if (k > 0) {
            EXPECT_EQ(sizes_of(k - 1).high + 1, all.low);
        }
    }
    EXPECT_EQ(size_class(kUnknown), kNoClass);
}

TEST(Lessons, NeighboursWithTheSameWinnerAreOneRule) {
    const auto all = with_lessons(
        {}, {lesson(Collective::bcast, 6, "knomial"), lesson(Collective::bcast, 5, "knomial"),
             lesson(Collective::bcast, 7, "mpi"), lesson(Collective::bcast, 9, "mpi"),
             lesson(Collective::bcast, 8, "knomial", "2x2")});
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0].bytes, (Range{9, 32}));
    EXPECT_EQ(all[0].measured,
              (std::map<std::int64_t, std::string>{{16, "knomial 1 us"}, {32, "knomial 1 us"}}));
    EXPECT_EQ(all[1].bytes, (Range{33, 64}));
    EXPECT_EQ(all[2].bytes, (Range{129, 256}));
    EXPECT_EQ(all[3].placement, "2x2");
}

TEST(Lessons, ReplaceWhatOlderRulesSayOfTheirSizes) {
    const auto old = with_lessons(
        {}, {lesson(Collective::bcast, 5, "knomial"), lesson(Collective::bcast, 6, "knomial"),
             lesson(Collective::bcast, 7, "knomial")});
    ASSERT_EQ(old.size(), 1u);
    const auto all = with_lessons(old, {lesson(Collective::bcast, 6, "mpi")});
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].bytes, (Range{9, 16}));
    EXPECT_EQ(all[0].measured.size(), 1u);
    EXPECT_EQ(all[1].algorithm, kLibrary);
    EXPECT_EQ(all[2].bytes, (Range{33, 64}));
}

TEST(Lessons, DropWhatNeverWouldAnswerAndTheOldestBeyondTheMost) {
    Rule open{Collective::bcast, "mpi", {}, {}};
    const auto all = with_lessons({open, lesson(Collective::bcast, 5, "knomial")},
                                  {lesson(Collective::allreduce, 5, "ring")});
    ASSERT_EQ(all.size(), 2u);  // the rule for all calls hides the one after it
    std::vector<Rule> many;
    for (std::size_t i = 0; i < kMostLearned; ++i)
        many.push_back(lesson(Collective::bcast, 5, "mpi", std::to_string(i)));
    const auto most = with_lessons(many, {lesson(Collective::bcast, 5, "mpi", "new")});
    ASSERT_EQ(most.size(), kMostLearned);
    EXPECT_EQ(most.front().placement, "new");
    EXPECT_EQ(most.back().placement, std::to_string(kMostLearned - 2));
}

// Whatever was learned before, what is written and read again answers as the last lesson of a call,
// else as the rules before.
TEST(Lessons, AnswerWhatWasLearnedLast) {
    const std::string places[] = {"1x4", "2x2", "4x1"};
    const char* const algorithms[] = {"mpi", "ring", "recursive_doubling", "rabenseifner"};
    const char* const numberings[] = {"", "by group", "rotated by 2"};
    const Operands orders[] = {Operands::in_order, Operands::commute, Operands::exact};
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::size_t n) { return random() % n; };
        std::vector<Rule> rules;
        for (int job = 0; job < 4; ++job) {
            std::vector<Rule> lessons;
            for (std::size_t n = 1 + below(12); n > 0; --n) {
                Rule r = lesson(Collective::allreduce, static_cast<int>(1 + below(6)),
                                algorithms[below(4)], places[below(3)]);
                if (r.algorithm != kLibrary) r.numbering = numberings[below(3)];
                r.operands = text(orders[below(3)]);
                lessons.push_back(r);
            }
            const std::vector<Rule> before = rules;
            rules = parse_file(file_text({with_lessons(before, lessons), "note"}), "f").rules;
            for (const std::string& place : places)
                for (const Operands o : orders)
                    for (std::int64_t bytes = 1; bytes <= 40; ++bytes) {
                        Site site;
                        site.mpi = "Open MPI v4.1.4";
                        site.placement = place;
                        std::string expected =
                            answer(lessons, Collective::allreduce, bytes, o, site);
                        if (expected == "none")
                            expected = answer(before, Collective::allreduce, bytes, o, site);
                        ASSERT_EQ(answer(rules, Collective::allreduce, bytes, o, site), expected)
                            << "seed " << seed << ", " << bytes << " bytes, " << place;
                    }
        }
    }
}

TEST(Lessons, AreKeptInAFileThatRulesCanBeReadFrom) {
    const Folder folder;
    const std::string path = folder.file("learned.json");
    EXPECT_EQ(complaint(path), "kept");
    keep_lessons(path, {lesson(Collective::allreduce, 5, "ring")});
    const Rules all = read_file(path);
    ASSERT_EQ(all.rules.size(), 2u);
    EXPECT_EQ(all.rules[0].algorithm, "ring");  // the newest first
    EXPECT_EQ(all.note.substr(0, 18), "learned by hopbine");
    EXPECT_EQ(folder.files(), 1u);
}

TEST(Lessons, LeaveTheNoteAndThePermissionsOfTheFile) {
    const Folder folder;
    const std::string path = folder.file("mine.json"), link = folder.file("link.json");
    write(path, R"({"hopbine_rules": 1, "note": "mine", "rules": []})");
    ::chmod(path.c_str(), 0640);
    ASSERT_EQ(::symlink("mine.json", link.c_str()), 0);
    EXPECT_EQ(complaint(link), "kept");
    struct stat s;
    ASSERT_EQ(::lstat(link.c_str(), &s), 0);
    EXPECT_TRUE(S_ISLNK(s.st_mode));
    ASSERT_EQ(::stat(path.c_str(), &s), 0);
    EXPECT_EQ(s.st_mode & 07777, 0640u);
    EXPECT_EQ(read_file(path).note, "mine");
    EXPECT_EQ(read_file(path).rules.size(), 1u);
}

TEST(Lessons, LeaveAFileThatIsNoneOfTheirs) {
    const Folder folder;
    const std::string path = folder.file("precious.txt");
    for (const char* text : {"my thesis", "{\"hopbine_rules\": 3, \"rules\": []}",
                             "{\"hopbine_rules\": 1, \"rules\": [{\"collective\": \"bcast\", "
                             "\"algorithm\": \"of_tomorrow\"}]}",
                             "{\"hopbine_rules\": 1, \"rules\": ["}) {
        write(path, text);
        EXPECT_EQ(complaint(path).substr(0, path.size() + 1), path + ':') << text;
        std::ifstream in(path);
        EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text);
        EXPECT_EQ(folder.files(), 1u);
    }
}

TEST(Lessons, SayWhyAFileCannotBeWritten) {
    const Folder folder;
    EXPECT_EQ(complaint(folder.file("no/such.json")),
              folder.file("no/such.json") + ": cannot be written: No such file or directory");
    EXPECT_NE(complaint(folder.file("")).find("Is a directory"), std::string::npos);
    EXPECT_EQ(complaint("/dev/null"), "/dev/null: cannot be written: it is no regular file");
}

TEST(Lessons, OfJobsThatEndAtOnceAreAllKept) {
    const Folder folder;
    const std::string path = folder.file("learned.json");
    constexpr int kJobs = 16, kTimes = 10;
    for (int job = 0; job < kJobs; ++job)
        if (::fork() == 0) {
            for (int i = 0; i < kTimes; ++i)
                keep_lessons(path, {lesson(Collective::bcast, 5, "mpi",
                                           std::to_string(job) + ' ' + std::to_string(i))});
            ::_exit(0);
        }
    int failed = 0, status = 0;
    while (::wait(&status) > 0) failed += status != 0;
    EXPECT_EQ(failed, 0);
    EXPECT_EQ(read_file(path).rules.size(), std::size_t{kJobs * kTimes});
    EXPECT_EQ(folder.files(), 1u);
}

TEST(Lessons, DropTheOldestBeyondTheMostBytes) {
    const Folder folder;
    const std::string path = folder.file("learned.json");
    std::vector<Rule> many;
    for (std::size_t i = 0; i < 2000; ++i)
        many.push_back(
            lesson(Collective::bcast, 5, "mpi", std::to_string(i) + std::string(900, 'x')));
    constexpr std::size_t kMost = 1 << 20;
    keep_lessons(path, many, {500, 0666, kMost});
    EXPECT_LE(std::filesystem::file_size(path), kMost);
    EXPECT_GT(std::filesystem::file_size(path), kMost / 2);
    const auto kept = read_file(path).rules;
    ASSERT_LT(kept.size(), many.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
        ASSERT_EQ(kept[i].placement, many[i].placement);  // the first are the newest
}

TEST(Lessons, OfASiteAreThoseThatMayAnswerThere) {
    const Site here{"Open MPI v5.0.11", "unnamed", "P 1", "mlx5", "", ""};  // cores: not known yet
    const auto answers = [&](std::string Rule::* word, const char* value, int ranks = 4) {
        Rule r{Collective::bcast, kLibrary, {}, {}};
        r.ranks = {4, 4};
        ask_for(r, here);
        r.*word = value;
        return of_site({r}, here, ranks).size() == 1;
    };
    EXPECT_TRUE(answers(&Rule::note, ""));
    for (const auto word : {&Rule::mpi, &Rule::machine, &Rule::processor, &Rule::transport}) {
        EXPECT_FALSE(answers(word, "another"));
        EXPECT_TRUE(answers(word, ""));  // a rule that does not ask
    }
    for (const auto word : {&Rule::cores, &Rule::placement, &Rule::operands})
        EXPECT_TRUE(answers(word, "exact"));
    EXPECT_TRUE(answers(&Rule::note, "", 5));  // part of the job
    EXPECT_FALSE(answers(&Rule::note, "", 3));
}
