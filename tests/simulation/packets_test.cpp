// The packet engine against cases worked by hand, invariants, and the flow engine.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "simulation/test_network.hpp"

using namespace hopbine;
using namespace hopbine::simulation;

namespace {

constexpr double kHop = 400e-9, kEnds = 500e-9;

Program program(Collective c, const char* name, const std::vector<int>& shape, int p) {
    Problem q{c, p};
    if (shape.size() > 1) q.shape = shape;
    return Program(algorithm_named(c, name), q);
}

/// Trains followed, whether links are shared or not, with a node for each end point.
PacketOutcome by_packets(const Known& k, double bytes, const Speeds& s, const PacketOptions& o) {
    return run_packets(k, Hosts(k.at, 1, *k.topology), bytes, s, o);
}

PacketOutcome simulated(const char* topology, const char* algorithm, double bytes,
                        const PacketOptions& o = {}, Collective c = Collective::allreduce) {
    const auto t = network::topology(topology);
    const Program p = program(c, algorithm, t->shape(), t->nodes());
    return by_packets(followed(p, t, in_order(t->nodes())), bytes, kSpeeds, o);
}

TEST(Packets, OneMessageTakesItsTransferAndItsLatency) {
    const auto t = network::topology("torus:8x8");
    const Program p = program(Collective::bcast, "binomial_doubling", {}, 2);
    for (const int trains : {1, 3, 16}) {
        PacketOptions o;
        o.trains = trains;
        const auto k = followed(p, t, {0, 3 * 8 + 2});  // five hops
        EXPECT_NEAR(by_packets(k, kMiB, kSpeeds, o).seconds, kMiB / 50e9 + 5 * kHop + kEnds, 1e-11)
            << trains << " trains: the head goes on at once, so their number does not matter";
    }
}

TEST(Packets, AByteIsNotDelayedWhereLinksDiffer) {
    // Nodes have links of capacity 1, the leaves' links up and down have 4 or 1/2.
    for (const auto& [text, narrowest] :
         {std::pair{"fattree:2x4", 1.0}, {"fattree:2x4:oversubscription=8", 0.5}}) {
        const auto t = network::topology(text);
        const Program p = program(Collective::bcast, "binomial_doubling", {}, 2);
        const auto out = by_packets(followed(p, t, {0, 4}), kMiB, kSpeeds, {});
        EXPECT_NEAR(out.seconds, kMiB / narrowest / 50e9 + 4 * 100e-9 + 3 * 300e-9, 1e-11) << text;
        double most = 0, all = 0;
        for (std::size_t l = 0; l < out.busy.size(); ++l) {
            const double carried = out.busy[l] * t->links()[l].capacity * 50e9;
            most = std::max(most, carried);
            all += carried;
        }
        EXPECT_NEAR(all, 4 * kMiB, 1) << text;
        EXPECT_NEAR(most, kMiB, 1) << text;
    }
}

TEST(Packets, ABundleCarriesATrainPerCable) {
    // Two cables join the nodes of a dimension of two: a train takes one of them.
    // One begins every half of a train's time.
    PacketOptions o;
    for (const int trains : {1, 2, 4, 16}) {
        o.trains = trains;
        const double expected = (trains + 1) / 2.0 / trains;
        const auto t = network::topology("torus:2");
        const Program p = program(Collective::bcast, "binomial_doubling", {}, 2);
        EXPECT_NEAR(Packets(Flows(p, t, {0, 1})).run(kMiB, kSpeeds, o).seconds,
                    expected * kMiB / 50e9 + kHop + kEnds, 1e-10)
            << trains;
    }
}

TEST(Packets, TwoMessagesOnALinkTakeTurns) {
    // Ranks 0 and 2 on one leaf, 1 and 3 on the other, one link of capacity 1 up from each. In step
    // 1 both ranks of a leaf send up; train by train, so that one message ends a train before the
    // other. In step 2 they exchange inside their leaf.
    const auto t = network::topology("fattree:2x2:oversubscription=2");
    const Program p = program(Collective::allreduce, "recursive_doubling", {}, 4);
    const Packets packets(Flows(p, t, {0, 2, 1, 3}));
    const double over = kMiB / 50e9, up = 4 * 100e-9 + 3 * 300e-9, inside = 2 * 100e-9 + 300e-9;
    std::vector<double> arrivals;
    for (const int rank : {0, 2}) {
        PacketOptions o;
        o.watched = rank;
        const PacketOutcome out = packets.run(kMiB, kSpeeds, o);
        EXPECT_NEAR(out.seconds, 2 * over + up + over + inside, 1e-10);
        for (const Event& e : out.of_rank)
            if (!e.sent && e.step == 0) arrivals.push_back(e.end);
    }
    ASSERT_EQ(arrivals.size(), 2u);
    EXPECT_NEAR(std::max(arrivals[0], arrivals[1]), 2 * over + up, 1e-10);
    EXPECT_NEAR(std::abs(arrivals[0] - arrivals[1]), over / 16, 1e-10);
}

TEST(Packets, AChainOfStepsAddsUp) {
    // A ring of 8: 2 * 7 steps, each n / 8 over one link and one hop's latency.
    for (const double bytes : {64.0, 4096.0, 8 * kMiB})
        EXPECT_NEAR(simulated("torus:8", "ring", bytes).seconds,
                    14 * (bytes / 8 / 50e9 + kHop + kEnds), 14e-12 * 16);
}

TEST(Packets, AgreesWithFlowsWhereNothingIsShared) {
    for (const char* text : {"torus:4x8", "hammingmesh:4x4:2x2", "hyperx:6x6"})
        for (const char* name : {"bucket", "hamiltonian"}) {
            const auto t = network::topology(text);
            const Program p = program(Collective::allreduce, name, t->shape(), t->nodes());
            const Flows flows(p, t, in_order(t->nodes()));
            ASSERT_FALSE(flows.shared()) << text << ' ' << name;
            const double by_flow = flows.run(kMiB, kSpeeds).seconds;
            EXPECT_NEAR(simulated(text, name, kMiB).seconds / by_flow, 1, 1e-5) << text << name;
            const PacketOutcome out = Packets(flows).run(kMiB, kSpeeds);
            EXPECT_DOUBLE_EQ(out.seconds, by_flow);
            EXPECT_EQ(out.events, 0) << "steps follow each other; no train need be followed";
        }
}

TEST(Packets, AMessageHalfWayRoundUsesBothDirections) {
    const auto t = network::topology("torus:8");
    const Program p = program(Collective::bcast, "binomial_doubling", {}, 2);
    const auto out = Packets(Flows(p, t, {0, 4})).run(kMiB, kSpeeds);
    EXPECT_NEAR(out.seconds, kMiB * 17 / 32 / 50e9 + 4 * kHop + kEnds, 1e-10)
        << "16 trains by turns: the last begins after 7.5 of their times";
    int used = 0;
    for (double b : out.busy)
        if (b > 0) {
            ++used;
            EXPECT_NEAR(b, kMiB / 2 / 50e9, 1e-10);
        }
    EXPECT_EQ(used, 8);
    PacketOptions one;
    one.trains = 1;
    EXPECT_NEAR(Packets(Flows(p, t, {0, 4})).run(kMiB, kSpeeds, one).seconds,
                kMiB / 50e9 + 4 * kHop + kEnds, 1e-10)
        << "one train takes one direction";
}

TEST(Packets, GoAroundAQueue) {
    // Two leaves of a dragonfly+ with four spines: eight messages spread over the spines as evenly
    // as 8 MiB in trains can.
    const auto t = network::topology("dragonfly_plus:1x2x4x8");
    const Program p = program(Collective::alltoall, "pairwise", {}, 16);
    const auto out = Packets(Flows(p, t, in_order(16))).run(16 * kMiB, kSpeeds);
    std::vector<double> up;
    for (std::size_t l = 0; l < t->links().size(); ++l)
        if (t->links()[l].from >= t->nodes() && t->links()[l].to >= t->nodes())
            up.push_back(out.busy[l] * 50e9 / kMiB);
    ASSERT_EQ(up.size(), 16u);
    EXPECT_NEAR(std::accumulate(up.begin(), up.end(), 0.0), 2 * 2 * 64, 1e-3);
    for (double mib : up) EXPECT_NEAR(mib, 16, 1.6);
}

/// Invariants of one simulation: every link carries what was routed over it and is never busy for
/// longer than the time, and the seed decides everything.
void expect_invariants(const char* text, const Algorithm& a, double bytes) {
    const auto t = network::topology(text);
    Problem q{a.collective, t->nodes()};
    q.shape = t->shape();
    if (!fits(a, q.p) || (a.refuses && !a.refuses(q).empty())) return;
    const Program p(a, q);
    const Known k = followed(p, t, in_order(q.p));
    PacketOptions o;
    o.watched = 1;
    const PacketOutcome out = by_packets(k, bytes, kSpeeds, o),
                        again = by_packets(k, bytes, kSpeeds, o);
    const std::string what = std::string(a.name) + ' ' + text;
    EXPECT_EQ(out.seconds, again.seconds) << what;
    EXPECT_EQ(out.busy, again.busy) << what;
    double carried = 0, sent = 0, expected = 0;
    for (std::size_t l = 0; l < out.busy.size(); ++l) {
        EXPECT_LE(out.busy[l], out.seconds * (1 + 1e-9)) << what;
        carried += out.busy[l] * t->links()[l].capacity * kSpeeds.bandwidth;
    }
    double routed = 0;
    for (const StepLoad& l : k.loads.steps)
        routed += static_cast<double>(l.times) * l.hops * p.part_bytes(bytes);
    EXPECT_NEAR(carried, routed, 1e-4 * routed) << what;
    for (const Event& e : out.of_rank) {
        EXPECT_LE(e.begin, e.end) << what;
        EXPECT_LE(e.end, out.seconds * (1 + 1e-12)) << what;
        if (e.sent) sent += e.bytes;
    }
    for (int s = 0; s < p.steps(); ++s)
        for (const Message& m : k.messages.at(p.pattern(s)).all)
            if (m.from == 1) expected += static_cast<double>(m.parts) * p.part_bytes(bytes);
    EXPECT_NEAR(sent, expected, 1e-6 * expected) << what;
}

class ByPackets : public testing::TestWithParam<const Algorithm*> {};

TEST_P(ByPackets, KeepsBytesAndCapacitiesOnEveryNetwork) {
    for (const char* text : {"torus:4x4", "torus:2x3x2", "hyperx:4x3", "hammingmesh:2x2:2x2",
                             "dragonfly:3x2x2", "fattree:2x2x4:oversubscription=2"})
        expect_invariants(text, *GetParam(), kMiB);
}
INSTANTIATE_TEST_SUITE_P(All, ByPackets, testing::ValuesIn(algorithms()),
                         [](const testing::TestParamInfo<const Algorithm*>& info) {
                             return std::string(name(info.param->collective)) + "_" +
                                    info.param->name;
                         });

TEST(Packets, GrowsWithTheSizeUpToATrain) {
    for (const char* text : {"torus:8x8", "hammingmesh:2x2:2x2", "dragonfly:4x4x4"})
        for (const char* name : {"swing", "rabenseifner", "recursive_doubling"}) {
            const auto t = network::topology(text);
            const Algorithm& a = algorithm_named(Collective::allreduce, name);
            Problem q{Collective::allreduce, t->nodes()};
            q.shape = t->shape();
            if (a.refuses && !a.refuses(q).empty()) continue;
            const Program p(a, q);
            const Packets packets(Flows(p, t, in_order(q.p)));
            double before = 0;
            for (double bytes = 64; bytes <= 64 * kMiB; bytes *= 2) {
                const double now = packets.run(bytes, kSpeeds).seconds;
                // A message that is cut once more may be overtaken where it was not before.
                const double train = 8192 / kSpeeds.bandwidth * p.steps();
                EXPECT_GE(now, before - train) << text << ' ' << name << ' ' << bytes;
                before = now;
            }
        }
}

TEST(Packets, TheSeedDecidesTies) {
    const auto t = network::topology("dragonfly:5x4x4");
    std::vector<int> at = in_order(t->nodes());
    std::mt19937 random(3);
    std::shuffle(at.begin(), at.end(), random);
    at.resize(64);
    const Program p = program(Collective::allreduce, "rabenseifner", {}, 64);
    const Packets packets(Flows(p, t, at));
    std::vector<double> times;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        PacketOptions o;
        o.seed = seed;
        times.push_back(packets.run(kMiB, kSpeeds, o).seconds);
        EXPECT_EQ(times.back(), packets.run(kMiB, kSpeeds, o).seconds);
    }
    EXPECT_NE(times[0], times[1]);
    const auto [low, high] = std::minmax_element(times.begin(), times.end());
    EXPECT_LT(*high / *low, 1.1) << "what ties decide is little";
}

/// Xi of Swing on a torus of D dimensions of 2^k, from its definition (Sec. 4.1): in step s of a
/// dimension, the sth of which sends 2^-Ds of what the first sends, messages go
/// (2^(s+1) + (-1)^s) / 3 hops and as many of them share a link.
double congestion(int dimensions, int k) {
    double loads = 0, bytes = 0;
    for (int s = 0; s < k; ++s) {
        const double share = std::ldexp(1, -dimensions * s);
        loads += share * (std::ldexp(1, s + 1) + (s % 2 ? -1 : 1)) / 3;
        bytes += share;
    }
    return loads / bytes;
}

TEST(Packets, LargeVectorsReachTheCongestionOfTable2) {
    EXPECT_NEAR(congestion(2, 40), 1.2, 1e-9);  // the limits for many nodes
    EXPECT_NEAR(congestion(3, 40), 1.037, 1e-4);
    EXPECT_NEAR(congestion(4, 40), 1.0084, 1e-5);
    // As the size grows the time goes to that of the most loaded links, Psi Xi n / (D B).
    for (const auto& [text, dimensions, k] :
         {std::tuple{"torus:8x8", 2, 3}, {"torus:16x16", 2, 4}, {"torus:8x8x8", 3, 3}}) {
        const auto t = network::topology(text);
        const Program p = program(Collective::allreduce, "swing", t->shape(), t->nodes());
        const Flows flows(p, t, in_order(t->nodes()));
        const Deficiencies d = deficiencies(flows.known()->loads, p, t->ports(), flows.shared());
        EXPECT_NEAR(d.congestion, congestion(dimensions, k), 1e-9) << text;
        const double bytes = 4096 * kMiB,
                     best = bytes / (t->ports() / 2.0) / kSpeeds.bandwidth * d.bandwidth;
        const double found = Packets(flows).run(bytes, kSpeeds).seconds / best;
        EXPECT_NEAR(found / congestion(dimensions, k), 1, 0.01) << text;
    }
}

TEST(Packets, DetoursSpreadTrafficBetweenTwoGroups) {
    // Every node of group 0 sends to one of group 1: minimal routes all take the cables between the
    // two groups, detours those of all others too. UGAL takes either, by the queues.
    const auto t = network::topology("dragonfly:9x4x2");
    const Program p = program(Collective::bcast, "binomial_doubling", {}, 2);
    Known k = followed(p, t, {0, 8});
    EXPECT_EQ(k.messages.size(), 1u);
    const double over = kMiB / 50e9;
    std::map<Routing, PacketOutcome> found;
    for (const Routing r : {Routing::minimal, Routing::valiant, Routing::ugal}) {
        PacketOptions o;
        o.routing = r;
        found[r] = by_packets(k, kMiB, kSpeeds, o);
    }
    EXPECT_EQ(found[Routing::ugal].busy, found[Routing::minimal].busy) << "nothing queues";
    EXPECT_NEAR(found[Routing::minimal].seconds, over + 5 * 100e-9 + 4 * 300e-9, 4.1e-7);
    const auto cables = [](const PacketOutcome& o) {
        return std::accumulate(o.busy.begin(), o.busy.end(), 0.0) * 50e9 / kMiB;
    };
    const double direct = cables(found[Routing::minimal]), around = cables(found[Routing::valiant]);
    EXPECT_GT(around, direct);
    EXPECT_LE(around, 2 + 2 * 3) << "two global cables, three local ones and those of the nodes";
    // Rank r of 8 in group 0 exchanges with rank r of group 1, all through one cable.
    std::vector<int> at;
    for (int r = 0; r < 8; ++r) at.insert(at.end(), {r, 8 + r});
    const Program pairs = program(Collective::allreduce, "recursive_doubling", {}, 16);
    k = followed(pairs, t, at);
    for (const Routing r : {Routing::minimal, Routing::valiant, Routing::ugal}) {
        PacketOptions o;
        o.routing = r;
        found[r] = by_packets(k, kMiB, kSpeeds, o);
    }
    EXPECT_LT(found[Routing::valiant].seconds, 0.7 * found[Routing::minimal].seconds);
    EXPECT_LT(found[Routing::ugal].seconds, 0.7 * found[Routing::minimal].seconds);
}

TEST(Packets, DetoursOfHyperXKeepBytes) {
    const auto t = network::topology("hyperx:4x4");
    const Program p = program(Collective::allreduce, "bucket", {4, 4}, 16);
    const Packets packets(Flows(p, t, in_order(16)));
    PacketOptions o;
    const double minimal = packets.run(kMiB, kSpeeds, o).seconds;
    for (const Routing r : {Routing::valiant, Routing::ugal}) {
        o.routing = r;
        const PacketOutcome out = packets.run(kMiB, kSpeeds, o);
        EXPECT_GT(out.events, 0);
        EXPECT_EQ(out.busy, packets.run(kMiB, kSpeeds, o).busy) << "by the seed";
        for (double b : out.busy) EXPECT_LE(b, out.seconds);
        EXPECT_GE(out.seconds, minimal * (1 - 1e-6)) << "nothing is faster than nothing in the way";
    }
    EXPECT_NEAR(packets.run(kMiB, kSpeeds, o).seconds / minimal, 1, 1e-5)
        << "UGAL: no queue, no detour";
}

TEST(Packets, NetworksWithoutDetoursRefuseThem) {
    PacketOptions o;
    o.routing = Routing::ugal;
    EXPECT_THROW(simulated("torus:4x4", "swing", kMiB, o), Error);
    EXPECT_THROW(simulated("fattree:4x4", "ring", kMiB, o), Error);
    EXPECT_THROW(routing_named("fastest"), Error);
}

TEST(Packets, RefusesOptionsOutsideTheirRanges) {
    const auto t = network::topology("torus:4x4");
    const Packets packets(
        Flows(program(Collective::allreduce, "swing", {4, 4}, 16), t, in_order(16)));
    PacketOptions o;
    for (int trains : {0, -1, 70000}) {
        o.trains = trains;
        EXPECT_THROW(packets.run(kMiB, kSpeeds, o), Error) << trains;
    }
    o = {};
    o.packet = 0;
    EXPECT_THROW(packets.run(kMiB, kSpeeds, o), Error);
}

TEST(Packets, TimesOfAnyLengthFit) {
    const auto t = network::topology("torus:8x8");
    const Packets packets(
        Flows(program(Collective::allreduce, "swing", {8, 8}, 64), t, in_order(64)));
    const double fast = packets.run(64 * kMiB, kSpeeds).seconds;
    const Speeds slow{50e-3, 100e3, 300e3};
    EXPECT_NEAR(packets.run(64 * kMiB, slow).seconds / 1e12 / fast, 1, 1e-3);
}

}  // namespace
