#include "select/rules.hpp"

#include <gtest/gtest.h>

using namespace hopbine;
using namespace hopbine::select;

namespace {
std::string complaint(const std::string& text) {
    try {
        parse_file(text, "f.json");
    } catch (const Error& e) {
        return e.what();
    }
    return "accepted";
}
}  // namespace

TEST(RulesFile, SaysWhereAndWhy) {
    EXPECT_EQ(complaint("{\"hopbine_rules\": 1, \"rules\": []}"), "accepted");
    EXPECT_EQ(complaint(""), "f.json:1:1: expected a value");
    EXPECT_EQ(complaint("{\"hopbine_rules\": 2, \"rules\": []}"), "f.json:1:19: only version 1 of rules files is known here");
    EXPECT_EQ(complaint("{\"hopbine_rules\": 1,\n\"rules\": [{\"collective\": \"alreduce\", \"algorithm\": \"ring\"}]}").substr(0, 45), "f.json:2:26: unknown collective 'alreduce' (k");
    EXPECT_NE(complaint("{\"hopbine_rules\": 1, \"rules\": [{\"collective\": \"allreduce\", \"algorithm\": \"rong\"}]}").find("unknown algorithm 'rong'"), std::string::npos);
    EXPECT_NE(complaint("{\"hopbine_rules\": 1, \"rules\": [{\"collective\": \"allreduce\", \"algorithm\": \"ring\", \"bytes\": [9, 2]}]}").find("needs 0 <= low <= high"), std::string::npos);
    EXPECT_NE(complaint("{\"hopbine_rules\": 1, \"rules\": [{\"colective\": 1}]}").find("unknown member \"colective\""), std::string::npos);
    EXPECT_NE(complaint(std::string(100000, '[')).find("nested too deeply"), std::string::npos);
    EXPECT_NE(complaint("{\"hopbine_rules\": 1, \"rules\": [{\"collective\": \"allreduce\", \"algorithm\": \"bine_large\", \"parameters\": {\"segment\": -5}}]}").find("outside 0.."), std::string::npos);
}

TEST(RulesFile, EveryPrefixIsRefusedCleanly) {
    const std::string text = "{\"hopbine_rules\": 1, \"note\": \"a \\\"b\\\" \\u00e9\", \"rules\": [{\"collective\": \"bcast\", \"ranks\": [2, null], \"algorithm\": \"mpi\"}]}";
    EXPECT_EQ(complaint(text), "accepted");
    for (std::size_t n = 0; n < text.size(); ++n) EXPECT_NE(complaint(text.substr(0, n)), "accepted") << n;
}

TEST(Choice, FirstMatchWinsAndUnfitIsSaid) {
    const Rules asked = parse_algorithms("allgather=bine_permute,bcast=mpi", "test");
    const std::vector<const Rules*> sources = {&asked, &default_rules()};
    EXPECT_STREQ(choose(sources, Collective::allgather, 8, 100, Operands::exact).algorithm->name, "bine_permute");
    const Choice unfit = choose(sources, Collective::allgather, 6, 100, Operands::exact);
    EXPECT_EQ(unfit.algorithm, nullptr);
    EXPECT_NE(unfit.complaint.find("power of two, not p = 6"), std::string::npos);
    EXPECT_EQ(choose(sources, Collective::bcast, 8, 100, Operands::exact).algorithm, nullptr);
    EXPECT_STREQ(choose(sources, Collective::allreduce, 8, 100, Operands::exact).algorithm->name, "bine_small");
}

TEST(Choice, DefaultsPassOverWhatDoesNotFit) {
    EXPECT_STREQ(choose({&default_rules()}, Collective::allgather, 6, 100, Operands::exact).algorithm->name, "bine_block_by_block");
    const Choice in_order = choose({&default_rules()}, Collective::allreduce, 8, 1 << 20, Operands::in_order);
    EXPECT_EQ(in_order.algorithm, nullptr);
    EXPECT_EQ(in_order.complaint, "");
}

/// MPI wants one result on all ranks: an algorithm that adds in another order on each serves rounded sums only for who asks for it, and that is said.
TEST(Choice, SumsThatAreRoundedAreTheSameOnAllRanks) {
    for (std::int64_t bytes : {8, 4096, 1 << 20})
        for (int p : {3, 8, 1000}) EXPECT_TRUE(choose({&default_rules()}, Collective::allreduce, p, bytes, Operands::commute).algorithm->same_everywhere);
    const Rules asked = parse_algorithms("allreduce=bine_small", "test");
    const Choice by_name = choose({&asked}, Collective::allreduce, 8, 8, Operands::commute);
    EXPECT_STREQ(by_name.algorithm->name, "bine_small");
    EXPECT_NE(by_name.complaint.find("may differ in the last bits"), std::string::npos);
    EXPECT_EQ(choose({&asked}, Collective::allreduce, 8, 8, Operands::exact).complaint, "");
}
