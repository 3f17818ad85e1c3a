// Finite buffers of the packet engine: cases worked by hand, and what holds for every algorithm.
#include "simulation/credits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "simulation/test_network.hpp"

using namespace hopbine;
using namespace hopbine::simulation;

namespace {

/// Two ranks on these nodes: one message from the first to the second.
Program one_message() {
    return Program(algorithm_named(Collective::bcast, "binomial_doubling"),
                   Problem{Collective::bcast, 2});
}

PacketOptions with(double buffer, Routing routing = Routing::minimal) {
    PacketOptions o;
    o.buffer = buffer;
    o.routing = routing;
    return o;
}

TEST(Credits, TrainsGoInOrderWhenSpaceHasComeBack) {
    const auto t = network::topology("torus:4");
    Credits c(*t, 100, 10);  // the news takes 10
    const auto train = [](std::uint32_t id, Credits::Ticks size) {
        return Credits::Train{id, 0, 0, size, 0};
    };
    Credits::Ticks wake = Credits::kNever;
    EXPECT_TRUE(c.take(3, 0, train(1, 60), 0, wake));
    EXPECT_TRUE(c.take(3, 0, train(2, 40), 0, wake));
    EXPECT_FALSE(c.take(3, 0, train(3, 50), 0, wake));
    EXPECT_EQ(wake, Credits::kNever) << "nobody has left yet";
    EXPECT_TRUE(c.take(3, 1, train(9, 100), 0, wake)) << "another channel has its own buffer";
    EXPECT_FALSE(c.take(3, 0, train(4, 1), 0, wake)) << "nobody overtakes";
    EXPECT_EQ(c.waiting(3), 51);
    EXPECT_NE(c.stuck().find("1 to 0 (virtual channel 0)"), std::string::npos) << c.stuck();

    EXPECT_EQ(c.give(3, 0, 40, 200, 90), 210);
    EXPECT_EQ(c.give(3, 0, 60, 100, 90), 110) << "the later one may come back first";
    const std::uint32_t buffer = c.number(3, 0);
    Credits::Train next;
    EXPECT_TRUE(c.open(buffer, 110));
    EXPECT_TRUE(c.next(buffer, 110, next, wake));
    EXPECT_EQ(next.message, 3u);
    EXPECT_TRUE(c.next(buffer, 110, next, wake));
    EXPECT_EQ(next.message, 4u);
    EXPECT_FALSE(c.next(buffer, 110, next, wake));
    EXPECT_EQ(wake, Credits::kNever);
    EXPECT_EQ(c.waiting(3), 0);
    EXPECT_EQ(c.stuck(), "");
    EXPECT_FALSE(c.open(buffer, 210)) << "nobody waits for it any more";
    EXPECT_TRUE(c.take(3, 0, train(5, 49), 210, wake)) << "100 - 51";
}

TEST(Credits, SpaceComesBackWhenItsTrainsHaveLeftInAnyOrder) {
    // Whether a train that needs all free space finds it, against a list of what is under way.
    const auto t = network::topology("torus:4");
    constexpr Credits::Ticks kSpace = 1000, kBack = 10;
    Credits c(*t, kSpace, kBack);
    std::mt19937_64 random(7);
    std::vector<std::pair<Credits::Ticks, Credits::Ticks>> leaving;  // when, size
    Credits::Ticks free = kSpace, now = 0;
    int full = 0;
    for (int i = 0; i < 20'000; ++i) {
        now += static_cast<Credits::Ticks>(random() % 40);
        std::erase_if(leaving, [&](const auto& train) {
            if (train.first > now) return false;
            free += train.second;
            return true;
        });
        const auto size = static_cast<Credits::Ticks>(random() % 100 + 1);
        Credits::Ticks wake = Credits::kNever;
        if (size > free) {  // nobody is to wait in this test
            ++full;
            continue;
        }
        ASSERT_TRUE(c.take(3, 2, {1, 0, 0, size, now}, now, wake)) << i;
        free -= size;
        const auto when = now + static_cast<Credits::Ticks>(random() % 600);
        EXPECT_EQ(c.give(3, 2, size, when, now), Credits::kNever);
        leaving.emplace_back(when + kBack, size);
    }
    EXPECT_GT(full, 500) << "the buffer is never full";
    Credits::Ticks wake = Credits::kNever;
    EXPECT_FALSE(c.take(3, 2, {1, 0, 0, free + 1, now}, now, wake));
    EXPECT_EQ(wake, std::min_element(leaving.begin(), leaving.end())->first);
}

TEST(Credits, AFlowThroughAChainHasItsBufferInEveryRoundTrip) {
    // Six links in a row. A buffer's space is used again after the link's latency, the train's own
    // time and the cable back.
    const auto t = network::topology("torus:16");
    const Packets packets(Flows(one_message(), t, {2, 8}));
    const double bytes = 4 * kMiB, latency = 6 * 400e-9 + 500e-9;
    for (const double buffer : {2 * kKiB, 8 * kKiB, 16 * kKiB, 32 * kKiB, 128 * kKiB}) {
        const PacketOutcome out = packets.run(bytes, kSpeeds, with(buffer));
        const double train = std::min(buffer / 4, bytes / 16) / kSpeeds.bandwidth,
                     round_trip = 2 * kSpeeds.cable + kSpeeds.router + train,
                     rate = std::min(kSpeeds.bandwidth, buffer / round_trip);
        // The last four trains follow each other at the link's rate.
        EXPECT_NEAR(out.seconds, (bytes - buffer) / rate + 4 * train + latency, 1e-9) << buffer;
        EXPECT_EQ(out.channels, 1);
    }
}

TEST(Credits, HugeBuffersAreNone) {
    for (const auto& [text, routing] : {std::pair{"torus:4x4", Routing::minimal},
                                        {"torus:2x3x2", Routing::minimal},
                                        {"hyperx:4x3", Routing::ugal},
                                        {"hammingmesh:2x2:2x2", Routing::minimal},
                                        {"dragonfly:5x2x2", Routing::minimal},
                                        {"dragonfly:5x2x2", Routing::valiant},
                                        {"dragonfly:5x2x2", Routing::ugal},
                                        {"dragonfly_plus:3x2x2x2", Routing::ugal},
                                        {"fattree:2x2x4:oversubscription=2", Routing::minimal}}) {
        const auto t = network::topology(text);
        for (const char* name : {"rabenseifner", "ring", "bine_large"})
            for (const double bytes : {100.0, 300 * kKiB, 5 * kMiB}) {
                const Program p(algorithm_named(Collective::allreduce, name),
                                Problem{Collective::allreduce, t->nodes()});
                const Known k = followed(p, t, in_order(t->nodes()));
                const Hosts hosts(k.at, 1, *t);
                const PacketOutcome finite =
                    run_packets(k, hosts, bytes, kSpeeds, with(1e12, routing));
                const PacketOutcome none =
                    run_packets(k, hosts, bytes, kSpeeds, with(PacketOptions{}.buffer, routing));
                const std::string what = std::string(text) + ' ' + name;
                EXPECT_EQ(finite.seconds, none.seconds) << what;
                EXPECT_EQ(finite.busy, none.busy) << what;
                EXPECT_EQ(finite.waited, none.waited) << what;
                EXPECT_EQ(finite.events, none.events) << what;
            }
    }
}

/// What all links carry, and what each end point receives.
std::pair<double, std::vector<double>> carried(const network::Topology& t,
                                               const PacketOutcome& out) {
    double all = 0;
    std::vector<double> bytes(static_cast<std::size_t>(t.nodes()), 0);
    for (std::size_t l = 0; l < out.busy.size(); ++l) {
        const network::Link& link = t.links()[l];
        all += out.busy[l] * link.capacity;
        if (link.to < t.nodes())
            bytes[static_cast<std::size_t>(link.to)] += out.busy[l] * link.capacity;
    }
    return {all, bytes};
}

class WithBuffers : public testing::TestWithParam<const Algorithm*> {};

/// Small buffers, in which every train waits, on networks with loops.
TEST_P(WithBuffers, AllBytesArriveAndNothingHangs) {
    const Algorithm& a = *GetParam();
    for (const auto& [text, routing, channels] :
         {std::tuple{"torus:9", Routing::minimal, 2},
          {"torus:4x4", Routing::minimal, 3},
          {"torus:2x3x2", Routing::minimal, 4},
          {"hyperx:4x3", Routing::minimal, 1},
          {"hyperx:4x3", Routing::valiant, 2},
          {"hammingmesh:2x2:2x2", Routing::minimal, 3},
          {"hammingmesh:3x3:2x1", Routing::minimal, 3},
          {"dragonfly:5x2x2", Routing::minimal, 2},
          {"dragonfly:5x2x2", Routing::valiant, 4},
          {"dragonfly:5x2x2", Routing::ugal, 4},
          {"dragonfly_plus:3x2x2x2", Routing::minimal, 1},
          {"dragonfly_plus:3x2x2x2", Routing::ugal, 2},
          {"fattree:2x2x4:oversubscription=2", Routing::minimal, 1}}) {
        const auto t = network::topology(text);
        Problem q{a.collective, t->nodes()};
        q.shape = t->shape();
        if (!fits(a, q.p) || (a.refuses && !a.refuses(q).empty())) continue;
        const Program p(a, q);
        const Known k = followed(p, t, in_order(q.p));
        const Hosts hosts(k.at, 1, *t);
        const double bytes = 96 * kKiB;
        const std::string what = std::string(a.name) + ' ' + text;
        PacketOptions o = with(512, routing);
        const PacketOutcome out = run_packets(k, hosts, bytes, kSpeeds, o);
        EXPECT_EQ(out.seconds, run_packets(k, hosts, bytes, kSpeeds, o).seconds) << what;
        EXPECT_LE(out.channels, channels) << what;
        for (const double b : out.busy) EXPECT_LE(b, out.seconds * (1 + 1e-9)) << what;
        if (routing != Routing::minimal) continue;  // detours are drawn in another order
        o.buffer = PacketOptions{}.buffer;
        const PacketOutcome free = run_packets(k, hosts, bytes, kSpeeds, o);
        const auto [all, one] = carried(*t, out);
        const auto [all_free, other] = carried(*t, free);
        EXPECT_NEAR(all, all_free, 1e-3 * all_free) << what;
        for (std::size_t n = 0; n < one.size() && t->switches() > 0 && t->ports() == 1; ++n)
            EXPECT_NEAR(one[n], other[n], 1e-3 * other[n]) << what << ' ' << n;
    }
}
INSTANTIATE_TEST_SUITE_P(All, WithBuffers, testing::ValuesIn(algorithms()),
                         [](const testing::TestParamInfo<const Algorithm*>& info) {
                             return std::string(name(info.param->collective)) + "_" +
                                    info.param->name;
                         });

TEST(Credits, AnIncastSharesOneLinkWithBuffersToo) {
    const auto t = network::topology("fattree:4x8");
    const Program p(algorithm_named(Collective::allreduce, "rabenseifner"),
                    Problem{Collective::allreduce, 16});
    PacketOptions o = with(32 * kKiB);
    o.background = {.aggressor = Background::Aggressor::incast, .nodes = 10};
    EXPECT_NEAR(Packets(Flows(p, t, in_order(16))).run(16 * kMiB, kSpeeds, o).aggressor, 1.0 / 9,
                0.02 / 9);
}

TEST(Credits, AnIncastDelaysThoseWhoseLinksItFills) {
    // Every second node: the job shares the links between leaves with an incast, but not the one
    // that is full. Without an end of buffers the trains of the incast wait at its receiver only.
    const auto t = network::topology("fattree:4x8");
    std::vector<int> at;
    for (int n = 0; n < 32; n += 2) at.push_back(n);
    const Program p(algorithm_named(Collective::allreduce, "rabenseifner"),
                    Problem{Collective::allreduce, 16});
    const Packets packets(Flows(p, t, at));
    const auto seconds = [&](double buffer, bool beside) {
        PacketOptions o = with(buffer);
        if (beside) o.background = {.aggressor = Background::Aggressor::incast, .nodes = 16};
        return packets.run(4 * kMiB, kSpeeds, o).seconds;
    };
    const double none = PacketOptions{}.buffer;
    EXPECT_LT(seconds(none, true), 1.05 * seconds(none, false));
    EXPECT_GT(seconds(32 * kKiB, true), 1.5 * seconds(32 * kKiB, false));
}

TEST(Credits, RefusesBuffersThatNoTrainFits) {
    const auto t = network::topology("torus:16");
    const Packets packets(Flows(one_message(), t, {2, 8}));
    for (const double buffer : {0.0, -1.0, std::nan("")})
        EXPECT_THROW(packets.run(kMiB, kSpeeds, with(buffer)), Error) << buffer;
    try {
        packets.run(64 * kMiB, kSpeeds, with(1024));
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("can have 4097 bytes or more"), std::string::npos)
            << e.what();
    }
    EXPECT_GT(packets.run(64 * kMiB, kSpeeds, with(4097)).seconds, 0);
}

}  // namespace
