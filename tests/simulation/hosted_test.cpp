// Nodes in the packet engine, network cards, processors and other jobs' traffic: cases worked by
// hand and invariants.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "simulation/flows_known.hpp"
#include "simulation/test_network.hpp"

using namespace hopbine;
using namespace hopbine::simulation;

namespace {

constexpr double kBytes = 1000;
/// A leaf's switch is one router and two cables.
constexpr double kLeaf = 300e-9 + 2 * 100e-9;

struct Job {
    Collective collective;
    const char* algorithm;
    Parameters parameters = {};
    int calls = 1;  ///< one after the other
};

/// One run, with `cards` end points a node; node[r] is that of rank r.
PacketOutcome run(const char* topology, const Job& job, const std::vector<int>& node, double bytes,
                  const PacketOptions& o = {}, int cards = 1) {
    const auto t = network::topology(topology);
    Problem q{job.collective, static_cast<int>(node.size())};
    q.parameters = job.parameters;
    const Hosts hosts(node, cards, *t);
    std::vector<int> at;
    for (int r = 0; r < q.p; ++r) at.push_back(hosts.card(r, 0));
    const Program p(algorithm_named(job.collective, job.algorithm), q);
    return Packets(Flows(p.repeated(job.calls), t, at), hosts).run(bytes, kSpeeds, o);
}

const Job kBcast{Collective::bcast, "knomial"};
const Job kAllreduce{Collective::allreduce, "recursive_doubling"};

PacketOptions with(const MessageCosts& costs, int watched = -1) {
    PacketOptions o;
    o.costs = costs;
    o.watched = watched;
    return o;
}

TEST(Hosted, AMessagePaysBothProcessorsAndItsLatency) {
    const MessageCosts c{.send = 1e-6, .receive = 2e-6, .latency = 5e-6, .reduce = 1e-9};
    // n / B = 20 ns: 1 us + 20 ns + 500 ns + 5 us + 2 us.
    EXPECT_NEAR(run("fattree:1x4", kBcast, {0, 1}, kBytes, with(c)).seconds,
                1e-6 + kBytes / 50e9 + kLeaf + 5e-6 + 2e-6, 1e-11);
    // Both ranks start their message and then reduce the other's: 1000 B at 1 ns.
    EXPECT_NEAR(run("fattree:1x4", kAllreduce, {0, 1}, kBytes, with(c)).seconds,
                1e-6 + kBytes / 50e9 + kLeaf + 5e-6 + 2e-6 + 1e-6, 1e-11);
}

TEST(Hosted, ALongMessageAsksFirst) {
    const MessageCosts c{.send = 1e-6, .receive = 2e-6, .latency = 5e-6, .eager = 999};
    // The question, the answer and the message have the latency: 3 times 5.5 us.
    EXPECT_NEAR(run("fattree:1x4", kBcast, {0, 1}, kBytes, with(c)).seconds,
                1e-6 + kBytes / 50e9 + 3 * (kLeaf + 5e-6) + 2e-6, 1e-11);
    EXPECT_NEAR(run("fattree:1x4", kBcast, {0, 1}, 999, with(c)).seconds,
                1e-6 + 999 / 50e9 + kLeaf + 5e-6 + 2e-6, 1e-11);
}

TEST(Hosted, InsideANodeTheReceiverCopies) {
    MessageCosts c{.send = 1e-6, .receive = 2e-6, .latency = 5e-6, .inside_latency = 3e-6};
    c.inside = 1e-9;
    for (const double eager : {0.0, 1e9}) {  // nobody asks inside a node
        c.eager = eager;
        const PacketOutcome out = run("fattree:1x4", kBcast, {2, 2}, kBytes, with(c, 0));
        EXPECT_NEAR(out.seconds, 1e-6 + 3e-6 + 2e-6 + 1e-6, 1e-11) << eager;
        for (double b : out.busy) EXPECT_EQ(b, 0);
        ASSERT_EQ(out.of_rank.size(), 1u);
        EXPECT_NEAR(out.of_rank[0].end, eager > 0 ? 1e-6 : out.seconds, 1e-11)
            << "a long message is in the sender's memory until the receiver has it";
        EXPECT_NEAR(out.mean, (out.of_rank[0].end + out.seconds) / 2, 1e-11)
            << "the sender waits until its message has left";
    }
}

/// Ranks 0..3 of an allreduce by recursive doubling are on nodes 0, 1, 2 and 7 of a ring of 16: in
/// step 0 ranks 0 and 1 exchange over one hop, 2 and 3 over five; in step 1 0 and 2 over two, 1 and
/// 3 over six. The messages, of 20 ns, meet nowhere.
PacketOutcome uneven(const MessageCosts& c, int watched) {
    return run("torus:16", kAllreduce, {0, 1, 2, 7}, kBytes, with(c, watched));
}
double hops(int h) { return h * 400e-9 + 500e-9; }

TEST(Hosted, AnUnexpectedMessageIsCopiedOnceMore) {
    const MessageCosts c{.send = 1e-7, .receive = 2e-7, .unexpected = 1e-9};
    const double over = kBytes / 50e9, own = 1e-7 + over + 2e-7, first = own + hops(1),
                 last = own + hops(5);
    // Rank 0 sends at 1.22 us, which is at rank 2 at 2.64 us; that begins its step at 2.82 us,
    // starts its own message, and then takes the other from its buffer: 1000 B at 1 ns.
    ASSERT_LT(first + 1e-7 + over + hops(2), last);
    const PacketOutcome two = uneven(c, 2), three = uneven(c, 3);
    const auto received = [](const PacketOutcome& o) {
        double at = 0;
        for (const Event& e : o.of_rank)
            if (!e.sent && e.step == 1) at = e.end;
        return at;
    };
    EXPECT_NEAR(received(two), last + 1e-7 + 1e-6 + 2e-7, 1e-11);
    // Rank 1's message is at rank 3 at 4.24 us, when that waits for it.
    EXPECT_NEAR(received(three), first + own + hops(6), 1e-11);
}

TEST(Hosted, ALongMessageWaitsForTheStepOfItsReceiver) {
    const MessageCosts c{.eager = 0};
    const double over = kBytes / 50e9, first = 3 * hops(1) + over, last = 3 * hops(5) + over;
    // Rank 0 asks rank 2 at first + hops(2) = 4.02 us; the answer leaves when rank 2 begins step 1.
    ASSERT_LT(first + hops(2), last);
    for (const Event& e : uneven(c, 2).of_rank)
        if (!e.sent && e.step == 1) {
            EXPECT_NEAR(e.end, last + 2 * hops(2) + over, 1e-11);
        }
}

/// 8 ranks on one switch, with the block-permuting algorithm of a collective.
struct Permuted {
    Collective collective;
    int calls = 1;
    double seconds(const MessageCosts& c, std::int64_t overlap = 0) const {
        return run("fattree:1x8", {collective, "bine_permute", {{"overlap", overlap}}, calls},
                   in_order(8), kMiB, with(c))
            .seconds;
    }
    Permutation permutation() const {
        return Program(algorithm_named(collective, "bine_permute"), Problem{collective, 8})
            .permutation();
    }
};

TEST(Hosted, APermutedScheduleCopiesItsBlocksOnceInACall) {
    const MessageCosts none{.send = 1e-7};
    MessageCosts c = none;
    c.block = 2e-6;
    c.copy = 1e-10;
    for (const Permuted p : {Permuted{Collective::reduce_scatter},
                             {Collective::allgather},
                             {Collective::reduce_scatter, 3},
                             {Collective::allgather, 3}}) {
        const Permutation how = p.permutation();
        ASSERT_GT(how.runs, 1);
        EXPECT_EQ(how.before, p.collective == Collective::reduce_scatter);
        const double copies = p.calls * (static_cast<double>(how.runs) * c.block + kMiB * c.copy),
                     at_once = p.seconds(c), base = p.seconds(none);
        EXPECT_NEAR(at_once - base, copies, 1e-10) << "every message is one run: nothing is packed";
        const double beside = p.seconds(c, 1);
        EXPECT_LT(beside, at_once) << "in flight";
        EXPECT_GT(beside, base);
        EXPECT_GT(beside, copies) << "a processor copies everything";
    }
}

TEST(Hosted, RunsThatGoApartAreStartedOneByOneAndNotPacked) {
    const Job apart{Collective::reduce_scatter, "bine_block_by_block"};
    const auto seconds = [&](const MessageCosts& c) {
        return run("fattree:1x8", apart, in_order(8), kMiB, with(c)).seconds;
    };
    EXPECT_EQ(seconds({.send = 1e-6}), seconds({.send = 1e-6, .block = 1e-6, .copy = 1e-9}));
    // Sends are on the critical path: as many as the rank with most runs has messages.
    const Program p(algorithm_named(apart.collective, apart.algorithm),
                    Problem{apart.collective, 8});
    double most = 0;
    for (int s = 0; s < p.steps(); ++s) {
        std::uint32_t runs = 0;
        for (const Message& m : p.messages(s).all) {
            EXPECT_TRUE(m.apart);
            runs = std::max<std::uint32_t>(runs, m.runs);
        }
        most += runs;
    }
    EXPECT_GT(most, p.steps());
    EXPECT_NEAR(seconds({.send = 1e-4}) - seconds({.send = 1e-5}), most * 9e-5, 1e-5);
}

TEST(Hosted, ARanksMessagesTakeItsCardsInTurn) {
    // Four nodes on one switch; the root sends 1 MiB to each of the three others in one step.
    const Job job{Collective::bcast, "knomial", {{"k", 4}}};
    const double over = kMiB / 50e9;
    for (const auto& [topology, cards, messages] :
         {std::tuple{"fattree:1x4", 1, 3}, {"fattree:1x8", 2, 2}, {"fattree:1x16", 4, 1}})
        EXPECT_NEAR(run(topology, job, {0, 1, 2, 3}, kMiB, {}, cards).seconds,
                    messages * over + kLeaf, 1e-9)
            << cards;
}

TEST(Hosted, RanksOfANodeDivideItsCards) {
    const auto t = network::topology("fattree:1x16");
    const Hosts four({0, 0, 0, 0, 1, 1}, 4, *t);
    for (int r = 0; r < 4; ++r) EXPECT_EQ(four.card(r, 7), r) << "a card each";
    EXPECT_EQ(four.card(4, 0), 4);
    EXPECT_EQ(four.card(4, 1), 5);
    EXPECT_EQ(four.card(4, 2), 4);
    EXPECT_EQ(four.card(5, 1), 7);
    const Hosts eight({0, 0, 0, 0, 0, 0, 0, 0}, 4, *t);
    for (int r = 0; r < 8; ++r) EXPECT_EQ(eight.card(r, 3), r / 2) << "neighbours share";
    EXPECT_THROW(Hosts({0}, 3, *t), Error);
    EXPECT_THROW(Hosts({4}, 4, *t), Error);
    EXPECT_THROW(Hosts({0}, 2, *network::topology("torus:4x4")), Error);
}

TEST(Hosted, AProcessorServesOneMessageAtATime) {
    // Three ranks send to the root in one step of 1 us each; it then takes 2 us for each.
    const MessageCosts c{.send = 1e-6, .receive = 2e-6};
    const Job job{Collective::reduce, "knomial", {{"k", 4}}};
    const double over = kBytes / 50e9;
    EXPECT_NEAR(run("fattree:1x4", job, {0, 1, 2, 3}, kBytes, with(c)).seconds,
                1e-6 + over + kLeaf + 3 * 2e-6, 1e-11);
    // On four channels of a torus a rank has one processor still.
    const auto t = network::topology("torus:4x4");
    Problem q{Collective::allreduce, 16};
    q.shape = {4, 4};
    std::vector<int> at(16);
    std::iota(at.begin(), at.end(), 0);
    const Program p(algorithm_named(Collective::allreduce, "swing"), q);
    EXPECT_EQ(p.channels(), 4);
    const double taken = Packets(Flows(p, t, at)).run(kBytes, kSpeeds, with(c)).seconds;
    EXPECT_GE(taken, p.steps() * 4 * 3e-6);
}

TEST(Hosted, PackingCostsWhereAMessageHasSeveralRuns) {
    // Bruck's alltoall with four ranks: two steps of two blocks. In the first, blocks 1 and 3 of a
    // rank are apart.
    const Job job{Collective::alltoall, "bruck"};
    const double plain = run("fattree:1x4", job, {0, 1, 2, 3}, kBytes).seconds;
    const double packed =
        run("fattree:1x4", job, {0, 1, 2, 3}, kBytes, with({.block = 1e-6})).seconds;
    EXPECT_GT(packed, plain + 4e-6 - 1e-9) << "two runs, on both sides";
    const double ring =
        run("fattree:1x4", {Collective::allgather, "ring"}, {0, 1, 2, 3}, kBytes).seconds;
    EXPECT_NEAR(run("fattree:1x4", {Collective::allgather, "ring"}, {0, 1, 2, 3}, kBytes,
                    with({.block = 1e-6, .copy = 1e-6}))
                    .seconds,
                ring, 1e-11)
        << "one block at a time is where it lies";
}

TEST(Hosted, CostsOfNothingChangeNothing) {
    // The eager limit makes the engine follow processors, all other costs are zero.
    for (const char* name : {"ring", "recursive_doubling", "rabenseifner", "bine_large"}) {
        const Job job{Collective::allreduce, name};
        std::vector<int> node(16);
        std::iota(node.begin(), node.end(), 0);
        EXPECT_NEAR(run("fattree:2x8", job, node, kMiB, with({.eager = 1e12})).seconds,
                    run("fattree:2x8", job, node, kMiB).seconds, 1e-10)
            << name;
    }
}

TEST(Hosted, UnknownAndNegativeCostsAreRefused) {
    EXPECT_THROW(message_costs({{"received", 1}}), Error);
    EXPECT_THROW(message_costs({{"send", -1}}), Error);
    EXPECT_EQ(message_costs(values({.send = 3})), (MessageCosts{.send = 3}));
}

/// Bytes that go over links: those of messages between nodes, times the links of their routes.
double routed(const Program& p, const Hosts& hosts, const network::Topology& t, double bytes) {
    double out = 0;
    network::Route route;
    for (int s = 0; s < p.steps(); ++s)
        for (const Message& m : p.messages(s).all) {
            if (hosts.node(m.from) == hosts.node(m.to)) continue;
            t.route(hosts.card(m.from, 0), hosts.card(m.to, 0), route);
            for (const network::Hop& h : route.hops)
                out += h.share * static_cast<double>(m.parts) * p.part_bytes(bytes);
        }
    return out;
}

class OnHosts : public testing::TestWithParam<const Algorithm*> {};

TEST_P(OnHosts, KeepsBytesAndCapacitiesAndCostsOnlyAdd) {
    const Algorithm& a = *GetParam();
    const auto t = network::topology("dragonfly:3x2x4");
    std::vector<int> node, group;
    for (int r = 0; r < 16; ++r) node.push_back(r / 2), group.push_back(r / 8);
    Problem q{a.collective, 16};
    q.placement = std::make_shared<const Placement>(Placement{group, node});
    if (!fits(a, q.p) || (a.refuses && !a.refuses(q).empty())) return;
    const Program p(a, q);
    const Hosts hosts(node, 2, *t);
    std::vector<int> at;
    for (int r = 0; r < q.p; ++r) at.push_back(hosts.card(r, 0));
    const Packets packets(Flows(p, t, at), hosts);
    const double expected = routed(p, hosts, *t, kMiB), free = packets.run(kMiB, kSpeeds).seconds;
    const MessageCosts costs{.send = 3e-7,
                             .receive = 3e-7,
                             .latency = 1e-6,
                             .eager = 8192,
                             .inside_latency = 3e-7,
                             .inside = 1e-10,
                             .unexpected = 1e-10,
                             .reduce = 5e-11,
                             .block = 1e-8,
                             .copy = 1e-10};
    const PacketOutcome out = packets.run(kMiB, kSpeeds, with(costs)),
                        again = packets.run(kMiB, kSpeeds, with(costs));
    EXPECT_EQ(out.seconds, again.seconds);
    EXPECT_EQ(out.busy, again.busy);
    // A queue of messages that come later may be shorter: a hundredth.
    EXPECT_GE(out.seconds, free * 0.99);
    double carried = 0;
    for (std::size_t l = 0; l < out.busy.size(); ++l) {
        EXPECT_LE(out.busy[l], out.seconds * (1 + 1e-9));
        carried += out.busy[l] * t->links()[l].capacity * kSpeeds.bandwidth;
    }
    EXPECT_NEAR(carried, expected, 1e-4 * expected);
}
INSTANTIATE_TEST_SUITE_P(All, OnHosts, testing::ValuesIn(algorithms()),
                         [](const testing::TestParamInfo<const Algorithm*>& info) {
                             return std::string(name(info.param->collective)) + "_" +
                                    info.param->name;
                         });

}  // namespace
