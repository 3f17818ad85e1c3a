// Other jobs' traffic in the packet engine.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "simulation/flows_known.hpp"

using namespace hopbine;
using namespace hopbine::simulation;

namespace {

constexpr Speeds kSpeeds{50e9, 100e-9, 300e-9};
constexpr double kMiB = 1 << 20;
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

std::vector<int> first(int ranks) {
    std::vector<int> at(static_cast<std::size_t>(ranks));
    std::iota(at.begin(), at.end(), 0);
    return at;
}

TEST(Traffic, SendersReachTheirShareOnAnIdleNetwork) {
    // 48 nodes on one switch: a random receiver has two senders at times, never a full link.
    for (const double share : {0.1, 0.3, 0.5})
        for (const Pattern pattern : {Pattern::uniform, Pattern::permutation})
            EXPECT_NEAR(beside("fattree:1x64", first(16), {share, pattern}).background / share, 1,
                        0.03)
                << share;
}

TEST(Traffic, AnIncastSharesOneLink) {
    // Nine senders to the tenth: its link is full, each has a ninth of it.
    const PacketOutcome out =
        beside("fattree:1x32", first(16), {.aggressor = Aggressor::incast, .nodes = 10});
    EXPECT_NEAR(out.aggressor, 1.0 / 9, 0.02 / 9);
    EXPECT_EQ(out.background, 0);
}

TEST(Traffic, AnAlltoallOfAggressorsFillsAllTheirLinks) {
    const PacketOutcome out =
        beside("fattree:1x32", first(16), {.aggressor = Aggressor::alltoall, .nodes = 16});
    EXPECT_GT(out.aggressor, 0.9);
    EXPECT_LE(out.aggressor, 1.02) << "a message that began before the job may end in it";
}

TEST(Traffic, TouchesNoJobThatSharesNoLink) {
    // The job has one leaf to itself, the others stay in the other.
    const double alone = beside("fattree:2x8", first(8), {}).seconds;
    for (const Background& b : {Background{.share = 0.9},
                                {.aggressor = Aggressor::incast},
                                {.share = 1, .pattern = Pattern::permutation}})
        EXPECT_NEAR(beside("fattree:2x8", first(8), b).seconds, alone, 1e-11);
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

TEST(Traffic, NeedsNodesThatTheJobLeaves) {
    EXPECT_THROW(beside("fattree:1x16", first(16), {.share = 0.5}), Error);
    EXPECT_THROW(beside("fattree:1x16", first(15), {.share = 0.5}), Error);
    EXPECT_THROW(beside("fattree:1x16", first(8), {.share = 1.5}), Error);
    EXPECT_THROW(beside("fattree:1x16", first(8), {.aggressor = Aggressor::incast, .nodes = 9}),
                 Error);
    EXPECT_THROW(beside("fattree:1x16", first(8), {.aggressor = Aggressor::incast, .nodes = 1}),
                 Error);
    EXPECT_THROW(pattern_named("bursts"), Error);
    EXPECT_THROW(aggressor_named("outcast"), Error);
}

}  // namespace
