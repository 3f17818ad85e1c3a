// The model of the choice on tori: ports, links and copies, by cases worked by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "select/modelled_cases.hpp"

using namespace hopbine;
using namespace hopbine::select;

namespace {

/// Rank 0 of 8 sends and receives a block, then {0, 3} and {4, 7}, then {0, 3, 4, 7} and
/// {1, 2, 5, 6}: the last two messages of each direction have several runs, two but for the three
/// of {0, 3, 4, 7}.
TEST(TorusChoice, MessagesOfSeveralRunsAreCopiedOnATorus) {
    const LocatedRanks ring = flat(8, {8});
    const auto loads_of = [](const char* name, const Parameters& given, const LocatedRanks& here) {
        return measure({&algorithm_named(Collective::allgather, name), given, 0}, {"given", {}, {}},
                       0, here);
    };
    const Loads joined = loads_of("bine_block_by_block", {{"joined", 1}}, ring);
    EXPECT_EQ(joined.packed, (std::vector<std::int64_t>{0, 0, 4, 4, 8, 5}));
    LinkCosts net = free_links();
    net.memory_bandwidth = 2e9;
    net.pack = 1e-6;
    EXPECT_NEAR(modelled_seconds(joined, net, ring, kBytes), 12. / 8 * kBytes / 1e9 + 9e-6, 1e-9);
    EXPECT_TRUE(loads_of("bine_block_by_block", {{"joined", 1}}, flat(8)).packed.empty());
    for (const char* name : {"bine_permute", "bine_send", "bine_two_transmissions"})
        EXPECT_EQ(std::ranges::max(loads_of(name, {}, ring).packed), 0) << name;
}

/// Recursive doubling on a ring of 16 moves 1, 2, 4 and 8 blocks over 1, 2, 4 and 8 links. Half of
/// the ranks go either way, in the last step half of each message: a link of a direction carries
/// 1/2, 2, 8 and 32 blocks, and a port 1, 2, 4 and 4.
TEST(TorusChoice, MessagesOfATorusShareItsLinks) {
    const LocatedRanks ring = flat(16, {16});
    LinkCosts net = free_links();
    net.port_bandwidth = 1e9;
    const auto taken = [&] {
        return seconds("recursive_doubling", ring, net, kBytes, {}, Collective::allgather);
    };
    EXPECT_NEAR(taken(), (1 + 2 + 8 + 32) / 16. * kBytes / 1e9, 1e-9);
    net.port_bandwidth = 1e18;
    net.hop_latency = 1e-6;  // of 1, 3 and 7 links after the first
    EXPECT_NEAR(taken(), 11e-6, 1e-9);
}

/// Swing on 4x4 moves 2 * 15/16 of the vector: by one port at a time, or a quarter by each of four.
TEST(TorusChoice, PortsOfATorusShareTheBytes) {
    LinkCosts net = free_links();
    net.port_bandwidth = 1e9;
    const LocatedRanks torus = flat(16, {4, 4});
    const double one = seconds("swing", torus, net, kBytes, {{"ports", 0}}),
                 all = seconds("swing", torus, net, kBytes, {{"ports", 1}});
    EXPECT_NEAR(one, 2 * 15. / 16 * kBytes / 1e9, 1e-9);
    EXPECT_NEAR(all, one / 4, 1e-9);
    net.port_overhead = 1e-6;  // three further messages in each of 8 steps
    EXPECT_NEAR(seconds("swing", torus, net, kBytes, {{"ports", 1}}) - all, 24e-6, 1e-9);
    EXPECT_NEAR(seconds("swing", torus, net, kBytes, {{"ports", 0}}), one, 1e-9);
}

TEST(TorusChoice, AChannelHasAPortOfATorus) {
    LinkCosts net = free_links();
    net.port_bandwidth = 1e9;
    EXPECT_NEAR(seconds("linear", flat(16, {4, 4}), net, kBytes, {}, Collective::gather),
                15. / 16 * kBytes / 1e9, 1e-9);
}

/// A channel reduces beside the messages of others: the longer counts. On one port it is the sum.
TEST(TorusChoice, ChannelsReduceBesideMessages) {
    LinkCosts net = free_links();
    net.rank_bandwidth = 1e9;
    net.reduce_bandwidth = 2e9;
    const LocatedRanks torus = flat(16, {4, 4});
    const auto swing = [&](std::int64_t ports) {
        return seconds("swing", torus, net, kBytes, {{"ports", ports}}, Collective::reduce_scatter);
    };
    const double moved = 15. / 16 * kBytes;
    EXPECT_NEAR(swing(0), moved / 1e9 + moved / 2e9, 1e-9);
    EXPECT_NEAR(swing(1), moved / 1e9, 1e-9);
    net.reduce_bandwidth = 0.5e9;
    EXPECT_NEAR(swing(1), moved / 0.5e9, 1e-9);
}

}  // namespace
