// Other jobs' traffic in the packet engine.
#include <gtest/gtest.h>

#include <set>

#include "simulation/flows_known.hpp"
#include "simulation/test_network.hpp"

using namespace hopbine;
using namespace hopbine::simulation;

namespace {

using Aggressor = Background::Aggressor;
using Pattern = Background::Pattern;

/// An allreduce by Rabenseifner on these nodes, with 16 MiB.
PacketOutcome beside(const char* topology, const std::vector<int>& at, const Background& b,
                     std::uint64_t seed = 1) {
    const auto t = network::topology(topology);
    const Program p(algorithm_named(Collective::allreduce, "rabenseifner"),
                    Problem{Collective::allreduce, static_cast<int>(at.size())});
    PacketOptions o;
    o.background = b;
    o.seed = seed;
    return Packets(Flows(p, t, at)).run(16 * kMiB, kSpeeds, o);
}

TEST(Traffic, SendersReachTheirShareOnAnIdleNetwork) {
    // 48 nodes on one switch: a random receiver has two senders at times, never a full link.
    for (const double share : {0.1, 0.3, 0.5})
        for (const Pattern pattern : {Pattern::uniform, Pattern::permutation})
            EXPECT_NEAR(beside("fattree:1x64", in_order(16), {share, pattern}).background / share,
                        1, 0.03)
                << share;
}

TEST(Traffic, AnIncastSharesOneLink) {
    // Nine senders to the tenth: its link is full, each has a ninth of it.
    const PacketOutcome out =
        beside("fattree:1x32", in_order(16), {.aggressor = Aggressor::incast, .nodes = 10});
    EXPECT_NEAR(out.aggressor, 1.0 / 9, 0.02 / 9);
    EXPECT_EQ(out.background, 0);
}

TEST(Traffic, AnAlltoallOfAggressorsFillsAllTheirLinks) {
    const PacketOutcome out =
        beside("fattree:1x32", in_order(16), {.aggressor = Aggressor::alltoall, .nodes = 16});
    EXPECT_GT(out.aggressor, 0.9);
    EXPECT_LE(out.aggressor, 1.02) << "a message that began before the job may end in it";
}

TEST(Traffic, TouchesNoJobThatSharesNoLink) {
    // The job has one leaf to itself, the others stay in the other.
    const double alone = beside("fattree:2x8", in_order(8), {}).seconds;
    for (const Background& b : {Background{.share = 0.9},
                                {.aggressor = Aggressor::incast},
                                {.share = 1, .pattern = Pattern::permutation}})
        EXPECT_NEAR(beside("fattree:2x8", in_order(8), b).seconds, alone, 1e-11);
}

TEST(Traffic, DelaysAJobWhoseLinksItShares) {
    // Every second node of an oversubscribed tree: the job and the others use the same links up.
    std::vector<int> at;
    for (int n = 0; n < 64; n += 2) at.push_back(n);
    const char* const tree = "fattree:8x8:oversubscription=2";
    const double alone = beside(tree, at, {}).seconds;
    double before = alone;
    for (const double share : {0.2, 0.5, 0.8}) {
        const double now = beside(tree, at, {.share = share}).seconds;
        EXPECT_GT(now, before) << share;
        before = now;
    }
    EXPECT_GT(beside(tree, at, {.aggressor = Aggressor::alltoall}).seconds, alone);
}

TEST(Traffic, IsDrawnByTheSeed) {
    std::vector<int> at;
    for (int n = 0; n < 72; n += 3) at.push_back(n);
    const Background b{
        .share = 0.5, .pattern = Pattern::permutation, .aggressor = Aggressor::incast};
    std::set<double> times;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const PacketOutcome out = beside("dragonfly:9x4x2", at, b, seed);
        EXPECT_EQ(out.seconds, beside("dragonfly:9x4x2", at, b, seed).seconds);
        EXPECT_GT(out.events, 0);
        times.insert(out.seconds);
    }
    EXPECT_GT(times.size(), 1u);
}

TEST(Traffic, AlltoallAggressorsSendToAllOthersInTurn) {
    Traffic traffic({.aggressor = Aggressor::alltoall, .nodes = 5}, std::vector<bool>(5), 1, 1);
    for (Traffic::Sender& s : traffic.senders()) {
        std::set<int> to;
        for (int i = 0; i < 4; ++i) to.insert(traffic.next(s));
        EXPECT_EQ(to.size(), 4u);
        EXPECT_FALSE(to.contains(s.at));
    }
    Traffic permuted({.share = 0.5, .pattern = Pattern::permutation}, std::vector<bool>(9), 2, 1);
    std::set<int> all;
    for (Traffic::Sender& s : permuted.senders()) {
        const int to = permuted.next(s);
        EXPECT_NE(to / 2, s.at / 2) << "not to its own node";
        EXPECT_EQ(to, permuted.next(s));
        all.insert(to);
    }
    EXPECT_EQ(all.size(), 18u);
}

/// Three other jobs on a network of one leaf for each, and their senders.
const Background kJobs{.share = 0.4, .jobs = {{8, 9, 10, 11}, {16, 17, 18}, {24, 25}}};

TEST(Traffic, JobsSendToNodesOfTheirOwn) {
    for (const Pattern pattern : {Pattern::uniform, Pattern::permutation, Pattern::alltoall})
        for (const int cards : {1, 2}) {
            Background b = kJobs;
            b.pattern = pattern;
            Traffic traffic(b, std::vector<bool>(32), cards, 1);
            EXPECT_EQ(traffic.senders().size(), 9u * static_cast<std::size_t>(cards));
            std::set<int> senders, all;
            for (Traffic::Sender& s : traffic.senders()) {
                std::set<int> to;
                senders.insert(s.at);
                for (int i = 0; i < 100; ++i) {
                    const int node = traffic.next(s) / cards;
                    to.insert(node);
                    EXPECT_NE(node, s.at / cards) << "not to its own node";
                    EXPECT_EQ(node / 8, s.at / cards / 8) << "not to another job";
                }
                all.insert(to.begin(), to.end());
                const std::size_t others[] = {3, 2, 1};
                EXPECT_EQ(to.size(), pattern == Pattern::permutation
                                         ? 1
                                         : others[static_cast<std::size_t>(s.at / cards / 8 - 1)]);
            }
            EXPECT_EQ(senders.size(), 9u * static_cast<std::size_t>(cards));
            EXPECT_EQ(all.size(), 9u);
        }
}

TEST(Traffic, AlltoallGoesToEveryCardOfOtherNodesInTurn) {
    Background b = kJobs;
    b.pattern = Pattern::alltoall;
    Traffic traffic(b, std::vector<bool>(32), 3, 1);
    for (Traffic::Sender& s : traffic.senders()) {
        std::set<int> to;
        for (std::size_t i = 0; i < s.count - 3; ++i) to.insert(traffic.next(s));
        EXPECT_EQ(to.size(), s.count - 3);
    }
}

TEST(Traffic, JobsReachTheirShareAndUseNoOtherLinks) {
    const auto t = network::topology("fattree:4x8");
    for (const Pattern pattern : {Pattern::uniform, Pattern::permutation, Pattern::alltoall}) {
        Background b = kJobs;
        b.pattern = pattern;
        const PacketOutcome out = beside("fattree:4x8", in_order(8), b);
        EXPECT_NEAR(out.background / b.share, 1, 0.05);
        // Each job is below one leaf switch: no link between switches is used.
        const auto& links = t->links();
        for (std::size_t l = 0; l < links.size(); ++l) {
            const int from = links[l].from, to = links[l].to;
            if (from >= t->nodes() && to >= t->nodes()) {
                EXPECT_EQ(out.busy[l], 0);
            }
            // Nodes without a job neither send nor receive.
            for (const int idle : {12, 19, 26, 31})
                if (from == idle || to == idle) {
                    EXPECT_EQ(out.busy[l], 0);
                }
        }
        EXPECT_NEAR(out.seconds, beside("fattree:4x8", in_order(8), {}).seconds, 1e-11);
    }
}

TEST(Traffic, JobsOfOneNodeChangeNothing) {
    std::vector<int> at;
    for (int n = 0; n < 64; n += 2) at.push_back(n);
    const char* const tree = "fattree:8x8:oversubscription=2";
    const PacketOutcome alone = beside(tree, at, {});
    const PacketOutcome out = beside(tree, at, {.share = 0.9, .jobs = {{1}, {3}, {9}}});
    EXPECT_EQ(out.seconds, alone.seconds);
    EXPECT_EQ(out.events, alone.events);
    EXPECT_EQ(out.busy, alone.busy);
    EXPECT_EQ(out.background, 0);
    // Jobs of several nodes, below switches that the job uses too, delay it.
    EXPECT_GT(beside(tree, at, {.share = 0.9, .jobs = {{1, 3, 9, 11, 17, 25, 33, 63}}}).seconds,
              alone.seconds);
}

TEST(Traffic, AggressorsLeaveToldJobsTheirNodes) {
    Background b = kJobs;
    b.aggressor = Aggressor::incast;
    std::vector<bool> used(32);
    std::fill_n(used.begin(), 8, true);
    Traffic traffic(b, used, 1, 1);
    std::set<int> nodes;
    for (const Traffic::Sender& s : traffic.senders()) nodes.insert(s.at);
    EXPECT_EQ(nodes.size(), 9u + 7) << "an incast of 8 has a receiver";
    EXPECT_EQ(nodes.size(), traffic.senders().size());
    b.nodes = 15;
    EXPECT_NO_THROW(Traffic(b, used, 1, 1));
    b.nodes = 16;
    EXPECT_THROW(Traffic(b, used, 1, 1), Error) << "jobs leave 15";
}

TEST(Traffic, RefusesJobsThatShareNodes) {
    const std::vector<int> at = in_order(8);
    const Background shared[] = {{.share = 0.5, .jobs = {{8, 9}, {9, 10}}},
                                 {.share = 0.5, .jobs = {{7, 8}}},
                                 {.share = 0.5, .jobs = {{8, 8}}},
                                 {.share = 0.5, .jobs = {{-1, 8}}},
                                 {.share = 0.5, .jobs = {{8, 16}}}};
    for (const Background& b : shared) EXPECT_THROW(beside("fattree:1x16", at, b), Error);
}

TEST(Traffic, NeedsNodesThatTheJobLeaves) {
    EXPECT_THROW(beside("fattree:1x16", in_order(16), {.share = 0.5}), Error);
    EXPECT_THROW(beside("fattree:1x16", in_order(15), {.share = 0.5}), Error);
    EXPECT_THROW(beside("fattree:1x16", in_order(8), {.share = 1.5}), Error);
    EXPECT_THROW(beside("fattree:1x16", in_order(8), {.aggressor = Aggressor::incast, .nodes = 9}),
                 Error);
    EXPECT_THROW(beside("fattree:1x16", in_order(8), {.aggressor = Aggressor::incast, .nodes = 1}),
                 Error);
    EXPECT_THROW(pattern_named("bursts"), Error);
    EXPECT_THROW(aggressor_named("outcast"), Error);
}

}  // namespace
