// The node model: representatives against full walks, and times against analytical results.
#include "simulation/nodes.hpp"

#include <gtest/gtest.h>

#include <map>

using namespace hopbine;
using namespace hopbine::simulation;

namespace {

using Steps = std::map<std::vector<RankLoad>, std::int64_t>;

Steps steps(const std::vector<EqualSteps>& all) {
    Steps out;
    for (const EqualSteps& s : all) out[s.loads] += s.times;
    return out;
}

std::vector<Parameters> settings(const Algorithm& a) {
    std::vector<Parameters> out = {{}};
    for (const Parameter& p : a.parameters) {
        const std::vector<Parameters> before = std::move(out);
        out.clear();
        for (const Parameters& given : before)
            for (std::int64_t value :
                 {std::int64_t{1}, std::int64_t{2}, std::int64_t{5}, p.fallback}) {
                if (value < p.low || value > p.high) continue;
                out.push_back(given);
                out.back().emplace_back(p.name, value);
            }
    }
    return out;
}

class OfAlltoallv : public testing::TestWithParam<const Algorithm*> {};

TEST_P(OfAlltoallv, WhatDiffersStandsForEverything) {
    const Algorithm& a = *GetParam();
    for (const auto& [nodes, per_node] : {std::pair{1, 1},
                                          {1, 6},
                                          {4, 1},
                                          {2, 4},
                                          {4, 4},
                                          {3, 5},
                                          {8, 2},
                                          {5, 8},
                                          {4, 3},
                                          {2, 32},
                                          {16, 4}}) {
        const int p = nodes * per_node;
        if (!fits(a, p)) continue;
        for (const Parameters& given : settings(a)) {
            const Problem q{Collective::alltoallv, p, 0, given};
            const NodeLoads quick = node_loads(a, q, nodes, per_node),
                            full = node_loads(a, q, nodes, per_node, Walked::everything);
            std::string told = std::to_string(nodes) + "x" + std::to_string(per_node);
            for (const auto& [key, value] : given)
                told += " " + std::string(key) + "=" + std::to_string(value);
            EXPECT_EQ(steps(quick.steps), steps(full.steps)) << told;
            EXPECT_EQ(steps(quick.agreement), steps(full.agreement)) << told;
        }
    }
}

/// Without symmetry 16,384 ranks could not be counted.
TEST_P(OfAlltoallv, SaysWhatIsAlike) {
    const Algorithm& a = *GetParam();
    Problem q{Collective::alltoallv, 16};
    q.placement = std::make_shared<const Placement>(
        Placement{std::vector<int>(16, 0), {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}});
    const SchedulePtr s = schedule(a, q);
    EXPECT_TRUE(s->traits().mirrored || (s->traits().period > 0 && s->traits().period <= 4));
}

std::vector<const Algorithm*> of_alltoallv() {
    std::vector<const Algorithm*> out;
    for (const Algorithm* a : algorithms())
        if (a->collective == Collective::alltoallv) out.push_back(a);
    return out;
}
INSTANTIATE_TEST_SUITE_P(All, OfAlltoallv, testing::ValuesIn(of_alltoallv()),
                         [](const testing::TestParamInfo<const Algorithm*>& info) {
                             return info.param->name;
                         });

constexpr NodeSpeeds kNodeSpeeds{1, 100, 10, 1e3, 1e4, 0.5, 1e5};
constexpr BlockSizes kAlike{80, 0, 80, false};

NodeTimes timed(const char* name, int nodes, int per_node, BlockSizes sizes = kAlike,
                Parameters given = {}) {
    const Algorithm& a = algorithm_named(Collective::alltoallv, name);
    return node_time(node_loads(a, {Collective::alltoallv, nodes * per_node, 0, std::move(given)},
                                nodes, per_node),
                     sizes, kNodeSpeeds);
}

TEST(Nodes, StartUpsComeOneAfterTheOther) {
    // 7 bare blocks, 3 of them inside; 4 ranks send 4 blocks each out of the node.
    const NodeTimes t = timed("spread_out", 2, 4);
    EXPECT_DOUBLE_EQ(t.inside.seconds(), 0);
    EXPECT_DOUBLE_EQ(t.between.latency, 100);
    EXPECT_DOUBLE_EQ(t.between.overhead, 6 * 10);
    EXPECT_DOUBLE_EQ(t.between.inside, 3 * 80 / 1e3);
    EXPECT_DOUBLE_EQ(t.between.between, 16 * 80 / 1e4);
    EXPECT_DOUBLE_EQ(t.between.packing, 0);
    // One message at a time has no overhead. The first and last three distances stay inside the
    // node for some ranks, never for all.
    const NodeTimes one = timed("pairwise", 2, 4);
    EXPECT_DOUBLE_EQ(one.between.latency, 7 * 100);
    EXPECT_DOUBLE_EQ(one.between.overhead, 0);
}

TEST(Nodes, EmptyBareBlocksAreNotSent) {
    const NodeTimes t = timed("spread_out", 2, 4, {80, 0.5, 160, false});
    EXPECT_DOUBLE_EQ(t.between.overhead, 2.5 * 10);
    EXPECT_DOUBLE_EQ(t.between.between, 16 * 80 / 1e4) << "the mean has them";
}

TEST(Nodes, WhatIsPackedHasHeads) {
    // Radix 2 on 2 nodes of 2 ranks: digit 0 moves distances 1 and 3, digit 1 distances 2 and 3.
    // Every message has two blocks.
    const double head = 16 + 2 * 4, again = 8, blocks = 2 * 80;
    const NodeTimes t = timed("parlogna", 2, 2, kAlike, {{"r", 2}});
    EXPECT_DOUBLE_EQ(t.between.latency, 2 * 100);
    EXPECT_DOUBLE_EQ(t.between.overhead, 0);
    EXPECT_DOUBLE_EQ(t.between.packing, 2 * 2 * (2 * 0.5 + (head + blocks) / 1e5));
    // In the first step one rank of a node sends out of it, in the second step both do.
    EXPECT_DOUBLE_EQ(t.between.between, 3 * (head + blocks) / 1e4);
    EXPECT_DOUBLE_EQ(timed("parlogna", 2, 2, {80, 0, 80, true}, {{"r", 2}}).between.between,
                     3 * (again + blocks) / 1e4);
    EXPECT_DOUBLE_EQ(timed("two_phase_bruck", 2, 2).between.overhead, 2 * 10)
        << "sizes in a message of their own";
}

TEST(Nodes, PaddedBlocksAreAllAsLargeAsTheLargestAndThatIsAgreedOn) {
    const NodeTimes t = timed("padded_bruck", 2, 2, {80, 0, 160, false});
    EXPECT_DOUBLE_EQ(t.inside.latency + t.between.latency, 1 + 100 + 2 * 100)
        << "an allreduce of two steps, one of them inside nodes";
    EXPECT_DOUBLE_EQ(t.between.between, (2 * 8 + 3 * 2 * 160) / 1e4);
}

TEST(Nodes, ParlinnaIsInsideNodesFirst) {
    const NodeTimes t = timed("parlinna", 4, 4, kAlike, {{"r", 2}, {"batch", 3}});
    EXPECT_DOUBLE_EQ(t.inside.latency, 2 * 1);
    EXPECT_DOUBLE_EQ(t.inside.between, 0);
    EXPECT_DOUBLE_EQ(t.between.latency, 100);
    EXPECT_DOUBLE_EQ(t.between.overhead, 2 * 10);
    EXPECT_DOUBLE_EQ(t.between.inside, 0);
    const NodeTimes staggered =
        timed("parlinna", 4, 4, kAlike, {{"r", 2}, {"batch", 3}, {"staggered", 1}});
    EXPECT_DOUBLE_EQ(staggered.inside.seconds(), t.inside.seconds());
    EXPECT_DOUBLE_EQ(staggered.between.latency, 4 * 100);
}

TEST(Nodes, TheLargestBlockOfManyIsNearTheLongest) {
    distribution d;
    ASSERT_EQ(distribution_open(&d, "dist:uniform:1024", 4), nullptr);
    const BlockSizes one = block_sizes(d, 1, false), many = block_sizes(d, 1000, false);
    EXPECT_NEAR(one.largest, 512, 4);
    EXPECT_DOUBLE_EQ(many.largest, 1024);
    EXPECT_DOUBLE_EQ(many.mean, 512);
    EXPECT_DOUBLE_EQ(many.empty, 1.0 / 257);
}

TEST(Nodes, RefusesWhatItIsNotAbout) {
    const Algorithm& a = algorithm_named(Collective::alltoallv, "parlogna");
    EXPECT_THROW(node_loads(a, {Collective::alltoallv, 8}, 3, 3), Error);
    EXPECT_THROW(node_loads(a, {Collective::alltoallv, 8}, 0, 8), Error);
    EXPECT_THROW(node_loads(algorithm_named(Collective::alltoall, "linear"),
                            {Collective::alltoall, 8}, 2, 4),
                 Error);
}

}  // namespace
