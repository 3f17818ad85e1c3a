// Lower bounds against every algorithm, and against cases worked by hand.
#include "select/lower_bound.hpp"

#include <gtest/gtest.h>

#include "select/cost_choice.hpp"

using namespace hopbine;
using namespace hopbine::select;

namespace {

Placement placed(int p, int per_node, int nodes_per_group) {
    Placement out;
    for (int r = 0; r < p; ++r) {
        out.node.push_back(r / per_node);
        out.group.push_back(r / per_node / nodes_per_group);
    }
    return out;
}

TEST(LowerBound, NoAlgorithmIsModelledFaster) {
    int reached = 0, cases = 0;
    for (const Placement& place :
         {placed(16, 1, 4), placed(16, 1, 16), placed(24, 2, 5), placed(21, 3, 3)}) {
        const LocatedRanks located(place);
        const auto p = static_cast<int>(place.group.size());
        const auto all = numberings(place);
        for (int c = 0; c < kCollectives; ++c)
            for (const Candidate& one : candidates(static_cast<Collective>(c), place, all))
                for (double bytes : {8.0, 65536.0, 1e8}) {
                    const int root = rooted(one.algorithm->collective) ? p / 3 : 0;
                    const double seconds = modelled_seconds(
                        measure(one, all[static_cast<std::size_t>(one.numbering)], root, located),
                        LinkCosts{}, located, bytes);
                    const LowerBound least =
                        lower_bound(one.algorithm->collective, root, located, {}, bytes);
                    EXPECT_GE(seconds, least.seconds() * (1 - 1e-9))
                        << name(one.algorithm->collective) << ' ' << one.algorithm->name << " p "
                        << p << ' ' << bytes << " B, bound by " << least.busiest;
                    reached += seconds < 1.25 * least.seconds();
                    ++cases;
                }
    }
    EXPECT_GT(reached, cases / 20);
}

TEST(LowerBound, OfASetOfRanks) {
    EXPECT_EQ(least_blocks(Collective::bcast, 12, 4, true), 12);
    EXPECT_EQ(least_blocks(Collective::scatter, 12, 4, true), 8);
    EXPECT_EQ(least_blocks(Collective::gather, 12, 4, false), 4);
    EXPECT_EQ(least_blocks(Collective::reduce_scatter, 12, 4, false), 8);
    EXPECT_EQ(least_blocks(Collective::allgather, 12, 4, false), 8);
    EXPECT_EQ(least_blocks(Collective::allreduce, 12, 4, false), 12);
    EXPECT_EQ(least_blocks(Collective::allreduce, 12, 1, false), 22);
    EXPECT_EQ(least_blocks(Collective::alltoall, 12, 4, false), 32);
    EXPECT_EQ(least_blocks(Collective::alltoall, 12, 12, true), 0);
}

/// 16 nodes in groups of 4, taper 2: a group's links take the vector of an allreduce each way at
/// the bandwidth of two nodes, a node 30 / 16 of it at its own.
TEST(LowerBound, NamesTheBusiest) {
    const LocatedRanks located(placed(16, 1, 4));
    LinkCosts net;
    net.rank_bandwidth = net.reduce_bandwidth = 1e15;
    const LowerBound least = lower_bound(Collective::allreduce, 0, located, net, 1 << 20);
    EXPECT_STREQ(least.busiest, "nodes");
    EXPECT_NEAR(least.bytes, 30.0 / 16 * (1 << 20) / net.node_bandwidth, 1e-8);
    net.taper = 16;
    EXPECT_STREQ(lower_bound(Collective::allreduce, 0, located, net, 1 << 20).busiest, "groups");
}

}  // namespace
