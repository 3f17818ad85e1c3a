#include "select/rules.hpp"

#include <gtest/gtest.h>

using namespace hopbine;
using namespace hopbine::select;

namespace {
std::string refusal(const std::string& text) {
    try {
        parse_file(text, "f.json");
    } catch (const Error& e) {
        return e.what();
    }
    return "accepted";
}
}  // namespace

TEST(RulesFile, SaysWhereAndWhy) {
    EXPECT_EQ(refusal("{\"hopbine_rules\": 1, \"rules\": []}"), "accepted");
    EXPECT_EQ(refusal(""), "f.json:1:1: expected a value");
    EXPECT_EQ(refusal("{\"hopbine_rules\": 3, \"rules\": []}"),
              "f.json:1:19: is version 3 of rules files; hopbine " HOPBINE_VERSION
              " knows versions 1 to 2");
    EXPECT_EQ(refusal("{\"hopbine_rules\": 1,\n\"rules\": [{\"collective\": \"alreduce\", "
                      "\"algorithm\": \"ring\"}]}")
                  .substr(0, 45),
              "f.json:2:26: unknown collective 'alreduce' (k");
    EXPECT_NE(refusal("{\"hopbine_rules\": 1, \"rules\": [{\"collective\": \"allreduce\", "
                      "\"algorithm\": \"rong\"}]}")
                  .find("unknown algorithm 'rong'"),
              std::string::npos);
    EXPECT_NE(refusal("{\"hopbine_rules\": 1, \"rules\": [{\"collective\": \"allreduce\", "
                      "\"algorithm\": \"ring\", \"bytes\": [9, 2]}]}")
                  .find("needs 0 <= low <= high"),
              std::string::npos);
    EXPECT_NE(refusal("{\"hopbine_rules\": 1, \"rules\": [{\"colective\": 1}]}")
                  .find("unknown member \"colective\""),
              std::string::npos);
    EXPECT_NE(refusal(std::string(100000, '[')).find("nested too deeply"), std::string::npos);
    EXPECT_NE(refusal("{\"hopbine_rules\": 1, \"rules\": [{\"collective\": \"allreduce\", "
                      "\"algorithm\": \"bine_large\", \"parameters\": {\"segment\": -5}}]}")
                  .find("outside 0.."),
              std::string::npos);
}

TEST(RulesFile, NamesBothOfARuleAndWhatMakesItUseless) {
    const auto two = [](const std::string& first, const std::string& second) {
        const auto rule = [](const std::string& rest) {
            return "{\"collective\": \"bcast\", " + rest + "}";
        };
        return refusal("{\"hopbine_rules\": 1, \"rules\": [\n" + rule(first) + ",\n " +
                       rule(second) + "]}");
    };
    EXPECT_EQ(
        two(R"("bytes": [0, 99], "algorithm": "linear")",
            R"("bytes": [10, 99], "nodes": [2, 4], "algorithm": "knomial", )"
            R"("parameters": {"k": 8})"),
        "f.json:3:2: contradicts the rule in line 2: that one answers all these calls of bcast "
        "with linear, so that knomial:k=8 never would");
    EXPECT_NE(two(R"("algorithm": "knomial")", R"("algorithm": "knomial", "parameters": {"k": 8})")
                  .find("line 2"),
              std::string::npos);
    EXPECT_EQ(two(R"("algorithm": "knomial")", R"("algorithm": "knomial", "parameters": {"k": 4})"),
              "accepted");  // the same rule twice
    EXPECT_EQ(two(R"("bytes": [0, 99], "algorithm": "linear")",
                  R"("bytes": [10, 100], "algorithm": "mpi")"),
              "accepted");
    EXPECT_EQ(two(R"("ranks_per_node": [2, 9], "algorithm": "linear")", R"("algorithm": "mpi")"),
              "accepted");
    EXPECT_EQ(two(R"("algorithm": "knomial")",
                  R"("bytes": [0, 1], "algorithm": "knomial", "parameters": {"k": 1})"),
              "f.json:3:56: knomial:k=1 is outside 2..1048576");
}

TEST(RulesFile, NotesKeepTheirCharacters) {
    const Rules r = parse_file(
        R"({"hopbine_rules": 1, "rules": [{"collective": "bcast", "algorithm": "mpi",
                      "note": "a\u00e9\u4e2d\ud83d\ude00\n\"é"}]})",
        "f");
    EXPECT_EQ(r.rules[0].note, "a\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80\n\"\xC3\xA9");
    for (const char* half : {"\\ud83d", "\\ude00", "\\ud83d\\u0041", "\\u12"})
        EXPECT_NE(refusal(std::string("{\"note\": \"") + half + "\"}").find("\\u"),
                  std::string::npos)
            << half;
}

TEST(Choice, AsksForPlaces) {
    const Rules file = parse_file(
        R"({"hopbine_rules": 1,
             "rules": [{"collective": "bcast", "nodes": [2, 3], "ranks_per_node": [1, 4],
                         "algorithm": "linear"},
        {"collective": "bcast", "ranks": [2, 8], "algorithm": "bine_small"}]})",
        "f");
    const auto serves = [&](Asked call) {
        return std::string(choose({&file}, call).algorithm->name);
    };
    EXPECT_EQ(serves({Collective::bcast, 8, 100, Operands::exact, 2, 4}), "linear");
    EXPECT_EQ(serves({Collective::bcast, 8, 100, Operands::exact, 2, 5}), "bine_small");
    EXPECT_EQ(passed_over(file.rules[0], {Collective::bcast, 8, 100, Operands::exact, 4, 5}),
              "nodes 4 outside 2..3, ranks_per_node 5 outside 1..4");
    EXPECT_EQ(passed_over(file.rules[1], {Collective::bcast, 9, 100, Operands::exact, 4, 5}),
              "ranks 9 outside 2..8");
    EXPECT_FALSE(choose({&file}, {Collective::bcast, 9, 100, Operands::exact, 4, 5}).found);
    EXPECT_TRUE(file.rules[0].asks_places());
    EXPECT_FALSE(file.rules[1].asks_places());
    EXPECT_NE(text(file.rules[0]), text(file.rules[1]));
}

TEST(RulesFile, EveryPrefixIsRefusedCleanly) {
    const std::string text =
        "{\"hopbine_rules\": 1, \"note\": \"a \\\"b\\\" \\u00e9\", \"rules\": [{\"collective\": "
        "\"bcast\", \"ranks\": [2, null], \"algorithm\": \"mpi\"}]}";
    EXPECT_EQ(refusal(text), "accepted");
    for (std::size_t n = 0; n < text.size(); ++n)
        EXPECT_NE(refusal(text.substr(0, n)), "accepted") << n;
}

TEST(RulesFile, AnOldFileMeansWhatItMeantAndIsTold) {
    const std::string rules =
        R"(, "rules": [{"collective": "reduce", "algorithm": "bine_large", "bytes": [8, null]},
                       {"collective": "reduce", "algorithm": "torus_bine_large"},
                       {"collective": "bcast", "algorithm": "bine_large"}]})";
    const auto served = [&](const char* version, Collective c, std::int64_t bytes) {
        const Rules file = parse_file(R"({"hopbine_rules": )" + (version + rules), "f.json");
        return choose({&file}, {c, 8, bytes});
    };
    for (const auto& [bytes, then, now] : {std::tuple(8, "bine_large", "bine_reversed"),
                                           {0, "torus_bine_large", "torus_bine_reversed"}}) {
        const Choice old = served("1", Collective::reduce, bytes);
        EXPECT_STREQ(old.algorithm->name, now);
        for (const char* word : {then, now, "4.5", "\"hopbine_rules\": 2"})
            EXPECT_NE(old.complaint.find(word), std::string::npos) << old.complaint;
        const Choice recent = served("2", Collective::reduce, bytes);
        EXPECT_STREQ(recent.algorithm->name, then);
        EXPECT_EQ(recent.complaint, "");
    }
    EXPECT_STREQ(served("1", Collective::bcast, 8).algorithm->name, "bine_large");
    EXPECT_EQ(served("1", Collective::bcast, 8).complaint, "");
    const Rules file = parse_file(R"({"hopbine_rules": 1)" + rules, "f.json");
    const Rules again = parse_file(file_text(file), "f.json");
    for (std::size_t i = 0; i < file.rules.size(); ++i)
        EXPECT_EQ(text(again.rules[i]), text(file.rules[i]));
}

TEST(Choice, FirstMatchWinsAndUnfitIsSaid) {
    const Rules asked = parse_algorithms("allgather=bine_permute,bcast=mpi", "test");
    const std::vector<const Rules*> sources = {&asked, &default_rules()};
    EXPECT_STREQ(choose(sources, {Collective::allgather, 8, 100, Operands::exact}).algorithm->name,
                 "bine_permute");
    const Choice unfit = choose(sources, {Collective::allgather, 6, 100, Operands::exact});
    EXPECT_EQ(unfit.algorithm, nullptr);
    EXPECT_NE(unfit.complaint.find("power of two, not p = 6"), std::string::npos);
    EXPECT_EQ(choose(sources, {Collective::bcast, 8, 100, Operands::exact}).algorithm, nullptr);
    EXPECT_STREQ(choose(sources, {Collective::allreduce, 8, 100, Operands::exact}).algorithm->name,
                 "bine_small");
}

TEST(Choice, DefaultsPassOverWhatDoesNotFit) {
    EXPECT_STREQ(choose({&default_rules()}, {Collective::allgather, 6, 100, Operands::exact})
                     .algorithm->name,
                 "bine_block_by_block");
    const Choice in_order =
        choose({&default_rules()}, {Collective::allreduce, 8, 1 << 20, Operands::in_order});
    EXPECT_EQ(in_order.algorithm, nullptr);
    EXPECT_EQ(in_order.complaint, "");
}

TEST(Choice, DefaultsKnowEveryCollective) {
    const auto chosen = [](Collective c, std::int64_t bytes, std::int64_t nodes,
                           std::int64_t each) {
        const Choice out =
            choose({&default_rules()}, {c, 8, bytes, Operands::in_order, nodes, each});
        return std::string(out.algorithm ? out.algorithm->name : kLibrary);
    };
    for (const Collective c : {Collective::scan, Collective::exscan}) {
        EXPECT_EQ(chosen(c, 1000, 1, 8), "recursive_doubling");
        EXPECT_EQ(chosen(c, 1 << 20, 1, 8), "chain");
        EXPECT_EQ(chosen(c, 1 << 20, 8, 1), "chain");
        EXPECT_EQ(chosen(c, 1 << 20, 4, 2), "hierarchical");
    }
    EXPECT_EQ(chosen(Collective::barrier, 0, 1, 8), kLibrary);
    EXPECT_EQ(chosen(Collective::barrier, 0, 8, 1), "dissemination");
    EXPECT_EQ(chosen(Collective::barrier, 0, 4, 2), "hierarchical");
}

/// MPI requires one result on all ranks. An algorithm with a different order of operands on each
/// rank serves rounded sums only on request, with a complaint.
TEST(Choice, SumsThatAreRoundedAreTheSameOnAllRanks) {
    for (std::int64_t bytes : {8, 4096, 1 << 20})
        for (int p : {3, 8, 1000})
            EXPECT_TRUE(
                choose({&default_rules()}, {Collective::allreduce, p, bytes, Operands::commute})
                    .algorithm->bitwise_reproducible);
    const Rules asked = parse_algorithms("allreduce=bine_small", "test");
    const Choice by_name = choose({&asked}, {Collective::allreduce, 8, 8, Operands::commute});
    EXPECT_STREQ(by_name.algorithm->name, "bine_small");
    EXPECT_NE(by_name.complaint.find("may differ in the last bits"), std::string::npos);
    EXPECT_EQ(choose({&asked}, {Collective::allreduce, 8, 8, Operands::exact}).complaint, "");
}

TEST(SharedMemoryRules, NameAlgorithmsThatServe) {
    int answered = 0;
    for (bool all : {false, true})
        for (int c = 0; c < static_cast<int>(kCollectives); ++c)
            for (int p = 2; p <= 65; ++p)
                for (Operands o : {Operands::exact, Operands::commute, Operands::in_order})
                    for (std::int64_t bytes : {0, 8, 2048, 8192, 8193}) {
                        const auto collective = static_cast<Collective>(c);
                        const Choice by =
                            choose({&shared_memory_rules(all)}, {collective, p, bytes, o});
                        EXPECT_EQ(by.complaint, "");
                        if (!by.algorithm) continue;
                        ++answered;
                        EXPECT_TRUE(fits(*by.algorithm, p) && serves(*by.algorithm, o));
                        EXPECT_TRUE(p <= 64 && bytes <= 8192);
                    }
    EXPECT_GT(answered, 1000);
}

TEST(Rules, BytesMayHaveUnits) {
    const auto value = [](const std::string& text) {
        return parse_algorithms("allreduce=bine_large:segment=" + text, "test")
            .rules[0]
            .parameters[0]
            .second;
    };
    EXPECT_EQ(value("131072"), 131072);
    EXPECT_EQ(value("512B"), 512);
    EXPECT_EQ(value("128KiB"), 131072);
    EXPECT_EQ(value("1MiB"), 1 << 20);
    for (const char* wrong : {"KiB", "1kB", "1 KiB", "1KiBs", "9999999999999GiB", "1.5KiB"})
        EXPECT_THROW(value(wrong), Error) << wrong;
    EXPECT_THROW(parse_algorithms("allreduce=knomial:k=1KiB", "test"), Error);
}
