// The user's cache of what was learned: where it is, what is made, and what is wrong with it.
#include "select/learned_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "select/lessons.hpp"

using namespace hopbine;
using namespace hopbine::select;

namespace {

/// A home of its own, with the environment of this process.
class LearnedCache : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_NE(::mkdtemp(home_.data()), nullptr);
        ::setenv("HOME", home_.c_str(), 1);
        ::unsetenv("XDG_CACHE_HOME");
    }
    void TearDown() override { std::filesystem::remove_all(home_); }
    static std::string path() { return learned_file("").path; }
    static unsigned mode(const std::string& file) {
        struct stat about{};
        ::stat(file.c_str(), &about);
        return about.st_mode & 07777;
    }
    std::string refusal() {
        try {
            read_cache(path(), here());
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    }
    std::string home_ = "/tmp/hopbine_home_XXXXXX";
    std::function<const Site&()> here() {
        return [this]() -> const Site& { return ++asked_, here_; };
    }
    int asked_ = 0;  ///< times that read_cache has asked for the site
    const Site here_{"Open MPI v5.0.11", "unnamed", "P \"1\"", "mlx5", "", ""};
    const std::vector<Rule> lessons_ = {{Collective::bcast, "knomial", {}, {}}};
};

constexpr const char* kFile = "/hopbine/learned-" HOPBINE_VERSION ".json";

TEST_F(LearnedCache, IsWhereTheUserKeepsCaches) {
    EXPECT_EQ(path(), home_ + "/.cache" + kFile);
    ::setenv("XDG_CACHE_HOME", "/scratch/me", 1);
    EXPECT_EQ(path(), std::string("/scratch/me") + kFile);
    ::setenv("XDG_CACHE_HOME", "not/absolute", 1);
    EXPECT_EQ(path(), home_ + "/.cache" + kFile);
    ::setenv("HOME", "", 1);
    EXPECT_EQ(path(), "");
    ::unsetenv("HOME");
    EXPECT_EQ(path(), "");
    EXPECT_EQ(learned_file("none").path, "");
    EXPECT_EQ(learned_file("/a/file").path, "/a/file");
    EXPECT_TRUE(learned_file("/a/file").named);
}

TEST_F(LearnedCache, IsMadeForTheUserAlone) {
    EXPECT_TRUE(read_cache(path(), here()).rules.rules.empty());
    EXPECT_FALSE(std::filesystem::exists(home_ + "/.cache"));
    EXPECT_EQ(asked_, 0);
    const mode_t before = ::umask(0);
    keep_in_cache(path(), lessons_);
    ::umask(before);
    EXPECT_EQ(mode(path()), 0600u);
    EXPECT_EQ(mode(home_ + "/.cache/hopbine"), 0700u);
    EXPECT_EQ(read_cache(path(), here()).rules.rules.size(), 1u);
    EXPECT_THROW(keep_in_cache(home_ + "/no/such" + kFile, lessons_), Error);
}

TEST_F(LearnedCache, ThatIsBrokenIsSetAsideOnce) {
    keep_in_cache(path(), lessons_);
    std::ofstream(path()) << "{\"hopbine_rules\": 1,\n \"rules\": [";
    const Cached first = read_cache(path(), here());
    EXPECT_TRUE(first.rules.rules.empty());
    EXPECT_NE(first.complaint.find(path() + ":2:"), std::string::npos) << first.complaint;
    EXPECT_NE(first.complaint.find(path() + ".broken"), std::string::npos) << first.complaint;
    EXPECT_TRUE(std::filesystem::exists(path() + ".broken"));
    EXPECT_EQ(read_cache(path(), here()).complaint, "");
    keep_in_cache(path(), lessons_);
    EXPECT_EQ(read_cache(path(), here()).rules.rules.size(), 1u);
    EXPECT_EQ(set_aside(path(), {}), "");  // another job has written a good one meanwhile
}

TEST_F(LearnedCache, IsNotUsedWhereOthersMayHaveWrittenIt) {
    keep_in_cache(path(), lessons_);
    const std::string folder = home_ + "/.cache/hopbine";
    ::chmod(folder.c_str(), 0770);
    EXPECT_EQ(refusal(), folder + ": others may write there");
    EXPECT_THROW(keep_in_cache(path(), lessons_), Error);
    ::chmod(folder.c_str(), 0700);
    EXPECT_EQ(refusal(), "");
    if (::geteuid() == 0) {
        ASSERT_EQ(::chown(folder.c_str(), 12345, 12345), 0);
        EXPECT_EQ(refusal(), folder + ": belongs to another user");
    }
}

TEST_F(LearnedCache, BelowWhatIsNoFolderIsNotUsed) {
    ::setenv("XDG_CACHE_HOME", "/dev/null", 1);
    EXPECT_NE(refusal(), "");
    ::setenv("XDG_CACHE_HOME", "/proc", 1);
    EXPECT_EQ(refusal(), "");
    EXPECT_THROW(keep_in_cache(path(), lessons_), Error);
}

TEST_F(LearnedCache, OfOtherSitesIsNotParsed) {
    std::vector<Rule> all;
    for (const auto word : {&Site::mpi, &Site::machine, &Site::processor, &Site::transport}) {
        Site other = here_;
        other.*word = "another";
        ask_for(all.emplace_back(lessons_[0]), other);
        all.back().algorithm = kLibrary;
    }
    ask_for(all.emplace_back(lessons_[0]), here_);
    all.back().note = "\"mpi\": \"in a text\"\n";
    keep_in_cache(path(), all);
    ASSERT_EQ(read_file(path()).rules.size(), 5u);
    for (const std::string before : {"", "bcast"}) {
        if (!before.empty()) {  // a line of another site is wrong: this job does not see it
            std::string text = read_lessons(path());
            text.replace(text.find(before), before.size(), "hcast");
            std::ofstream(path()) << text;
        }
        const Cached known = read_cache(path(), here());
        EXPECT_EQ(known.complaint, "");
        ASSERT_EQ(known.rules.rules.size(), 1u);
        EXPECT_EQ(known.rules.rules[0].note, all.back().note);
        EXPECT_EQ(known.rules.rules[0].algorithm, "knomial");
    }
    keep_in_cache(path(), lessons_);  // ... until it writes
    EXPECT_TRUE(std::filesystem::exists(path() + ".broken"));
    EXPECT_EQ(read_file(path()).rules.size(), 1u);
}

TEST_F(LearnedCache, InAnotherFormIsParsedWhole) {
    keep_in_cache(path(), lessons_);
    std::ofstream(path()) << "{\"hopbine_rules\": 1, \"rules\": [\n"
                             "  {\"collective\": \"bcast\",\n   \"algorithm\": \"mpi\", "
                             "\"machine\": \"another\"}\n]}";
    EXPECT_EQ(read_cache(path(), here()).rules.rules.size(), 1u);
}

}  // namespace
