// The model of the choice by counting: what each term adds, by cases worked by hand.
#include "select/cost_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace hopbine;
using namespace hopbine::select;

namespace {

/// Costs of which none matters but those that a test sets.
LinkCosts free_links() {
    LinkCosts out;
    for (double LinkCosts::* rate :
         {&LinkCosts::node_bandwidth, &LinkCosts::rank_bandwidth, &LinkCosts::port_bandwidth,
          &LinkCosts::memory_bandwidth, &LinkCosts::reduce_bandwidth})
        out.*rate = 1e18;
    for (double LinkCosts::* time :
         {&LinkCosts::node_latency, &LinkCosts::local_latency, &LinkCosts::global_latency,
          &LinkCosts::overhead, &LinkCosts::rendezvous})
        out.*time = 1e-18;
    return out;
}

/// One rank per node, one group.
LocatedRanks flat(int p, std::vector<int> torus = {}) {
    return LocatedRanks(one_rank_per_node(std::vector<int>(static_cast<std::size_t>(p))),
                        std::move(torus));
}

double seconds(const char* algorithm, const LocatedRanks& located, const LinkCosts& net,
               double bytes, const Parameters& parameters = {},
               Collective c = Collective::allreduce) {
    std::vector<int> nodes(static_cast<std::size_t>(located.nodes.count()));
    std::iota(nodes.begin(), nodes.end(), 0);
    const Loads loads = measure({&algorithm_named(c, algorithm), parameters, 0}, {"given", {}, {}},
                                0, located, nodes);
    return modelled_seconds(loads, net, located, bytes);
}

constexpr double kBytes = 1 << 20;

/// Recursive doubling of 8 ranks reduces the whole vector in each of 3 steps; the ring reduces 7
/// eighths.
TEST(CostChoice, ReducedBytesTakeTime) {
    LinkCosts net = free_links();
    net.reduce_bandwidth = 1e9;
    const LocatedRanks here = flat(8);
    EXPECT_NEAR(seconds("recursive_doubling", here, net, kBytes), 3 * kBytes / 1e9, 1e-9);
    EXPECT_NEAR(seconds("ring", here, net, kBytes), 7. / 8 * kBytes / 1e9, 1e-9);
    EXPECT_NEAR(seconds("ring", here, net, kBytes, {}, Collective::allgather), 0, 1e-9);
}

/// A rendezvous for each of 3 steps of recursive doubling, or 14 of the ring, if their messages are
/// long. The ring's are an eighth of the vector.
TEST(CostChoice, LongMessagesWaitForTheirReceivers) {
    LinkCosts net = free_links();
    net.rendezvous = 10e-6;
    const LocatedRanks here = flat(8);
    const double of_long = 8 * LinkCosts::kLong;
    EXPECT_NEAR(seconds("recursive_doubling", here, net, of_long), 30e-6, 1e-9);
    EXPECT_NEAR(seconds("ring", here, net, of_long), 140e-6, 1e-9);
    EXPECT_NEAR(seconds("ring", here, net, of_long / 4), 35e-6, 1e-9);
    EXPECT_NEAR(seconds("recursive_doubling", here, net, of_long / 32), 7.5e-6, 1e-9);
}

/// Messages inside a node are copied, and wait for nobody.
TEST(CostChoice, MessagesInsideANodeHaveNoRendezvous) {
    LinkCosts net = free_links();
    net.rendezvous = 10e-6;
    const LocatedRanks one_node(Placement{std::vector<int>(8), std::vector<int>(8)});
    EXPECT_NEAR(seconds("ring", one_node, net, 1 << 20), 0, 1e-9);
}

/// Swing on 4x4 moves 2 * 15/16 of the vector: by one port at a time, or a quarter by each of four.
TEST(CostChoice, PortsOfATorusShareTheBytes) {
    LinkCosts net = free_links();
    net.port_bandwidth = 1e9;
    const LocatedRanks torus = flat(16, {4, 4});
    const double one = seconds("swing", torus, net, kBytes, {{"ports", 0}}),
                 all = seconds("swing", torus, net, kBytes, {{"ports", 1}});
    EXPECT_NEAR(one, 2 * 15. / 16 * kBytes / 1e9, 1e-9);
    EXPECT_NEAR(all, one / 4, 1e-9);
    net.overhead = 1e-6;  // three further messages in each of 8 steps
    EXPECT_NEAR(seconds("swing", torus, net, kBytes, {{"ports", 1}}) - all, 24e-6, 1e-9);
    EXPECT_NEAR(seconds("swing", torus, net, kBytes, {{"ports", 0}}), one, 1e-9);
}

TEST(CostChoice, MoreBytesNeverTakeLessTime) {
    const LocatedRanks torus = flat(16, {4, 4});
    const LinkCosts net;
    int tried = 0;
    for (const Algorithm* a : algorithms()) {
        if (!counts(a->collective) || !fits(*a, 16) || pipelined(*a)) continue;
        if (a->refuses &&
            !a->refuses({.collective = a->collective, .p = 16, .shape = {4, 4}}).empty())
            continue;
        double before = 0;
        for (double bytes = 0; bytes < 1e10; bytes = 2 * bytes + 16, ++tried) {
            const double now = seconds(a->name, torus, net, bytes, {}, a->collective);
            EXPECT_GE(now, before) << name(a->collective) << ' ' << a->name << ' ' << bytes;
            before = now;
        }
    }
    EXPECT_GT(tried, 1000);
}

TEST(CostChoice, AlgorithmsOfToriAreCandidatesOnATorus) {
    const Placement place = one_rank_per_node(std::vector<int>(16));
    const auto of_tori = [&](const std::vector<int>& torus) {
        const auto all = candidates(Collective::allreduce, place, numberings(place), torus);
        return std::ranges::count_if(all,
                                     [](const Candidate& c) { return c.algorithm->follows_shape; });
    };
    EXPECT_EQ(of_tori({}), 0);
    EXPECT_EQ(of_tori({16}), 0);
    // bucket, swing, swing_small, torus_bine, torus_doubling and its small form, on one port and on
    // all; two Hamiltonian cycles of 4x4.
    EXPECT_EQ(of_tori({4, 4}), 13);
    EXPECT_EQ(of_tori({2, 2, 4}), 12);  // no such cycles are known
}

/// A reduce up a tree and a bcast down it: no allreduce has fewer messages.
TEST(CostChoice, TheShortlistHasTheFewestMessagesWhereLatenciesDecide) {
    std::vector<int> group(16, 1);
    std::fill(group.begin(), group.begin() + 5, 0);
    std::fill(group.begin() + 11, group.end(), 2);
    const Placement place = one_rank_per_node(group);
    const LocatedRanks located(place);
    const auto all = numberings(place);
    const auto from = candidates(Collective::allreduce, place, all);
    std::vector<Loads> loads;
    for (const Candidate& one : from)
        loads.push_back(measure(one, all[static_cast<std::size_t>(one.numbering)], 0, located));
    for (double bytes : {8., 512., 4096.}) {
        const auto listed = shortlist({from, loads, {}, located}, bytes, Operands::exact);
        EXPECT_EQ(listed.size(), kShortlist);
        EXPECT_TRUE(std::ranges::any_of(listed, [&](int i) {
            return loads[static_cast<std::size_t>(i)].totals[all_messages] == 2 * 15;
        })) << bytes;
    }
}

}  // namespace
