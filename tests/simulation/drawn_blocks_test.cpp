// Alltoallv with blocks of given sizes through the engines that have links.
#include <gtest/gtest.h>

#include "schedule/message_header.hpp"
#include "simulation/flows_known.hpp"
#include "simulation/test_network.hpp"

using namespace hopbine;
using namespace hopbine::simulation;

namespace {

distribution drawn_from(const char* text) {
    distribution d;
    EXPECT_EQ(distribution_open(&d, text, 4), nullptr);
    return d;
}
std::int64_t bytes(const distribution& d, int from, int to) {
    return distribution_draw(&d, from, to, 0) * static_cast<std::int64_t>(d.width);
}
Program program(const char* algorithm, int p, const distribution& d,
                const Parameters& parameters = {}) {
    return {algorithm_named(Collective::alltoallv, algorithm),
            Problem{Collective::alltoallv, p, 0, parameters},
            std::make_shared<const DrawnBlocks>(d, p)};
}
PacketOutcome run(const Program& p, const char* topology) {
    return Packets(Flows(p, network::topology(topology), in_order(p.ranks()))).run(1, kSpeeds);
}
std::int64_t sent(const Program& p) {
    std::int64_t out = 0;
    for (int s = 0; s < p.steps(); ++s)
        for (const Message& m : p.messages(s).all) out += m.parts;
    return out;
}

TEST(Blocks, TwoRanksTakeTheLargerBlockAndItsLatency) {
    const distribution d = drawn_from("dist:uniform:1048576");
    const std::int64_t longer = std::max(bytes(d, 0, 1), bytes(d, 1, 0));
    EXPECT_NE(bytes(d, 0, 1), bytes(d, 1, 0));
    EXPECT_NEAR(run(program("spread_out", 2, d), "fattree:1x2").seconds,
                static_cast<double>(longer) / 50e9 + 2 * 100e-9 + 300e-9, 1e-10);
}

TEST(Blocks, DirectAlgorithmsSendWhatWasDrawnAndNoEmptyBlock) {
    // 0 or 4 bytes: half of the blocks are empty.
    const distribution d = drawn_from("dist:uniform:4");
    std::int64_t all = 0, messages = 0;
    for (int from = 0; from < 8; ++from)
        for (int to = 0; to < 8; ++to)
            if (from != to) all += bytes(d, from, to), messages += bytes(d, from, to) > 0;
    ASSERT_GT(messages, 10);
    ASSERT_LT(messages, 46);
    for (const char* name : {"spread_out", "pairwise", "scattered", "exclusive_or"}) {
        const Program p = program(name, 8, d);
        EXPECT_EQ(sent(p), all) << name;
        EXPECT_EQ(run(p, "fattree:2x4").messages, messages) << name;
    }
    const Program p = program("pairwise", 8, d, {{"empty", 1}});
    EXPECT_EQ(run(p, "fattree:2x4").messages, 56) << "as libraries do";
    EXPECT_EQ(sent(p), all + 56 - messages) << "an empty message is one of a byte";
}

TEST(Blocks, MessagesOfSeveralBlocksHaveHeaders) {
    // Two-phase Bruck of four ranks: two steps of two blocks; a message with the sizes before each.
    const distribution d = drawn_from("dist:normal:1000");
    const Program p = program("two_phase_bruck", 4, d);
    const MessageHeader header{.narrow = true};
    for (int s = 0; s < p.steps(); ++s) {
        const Messages m = p.messages(s);
        ASSERT_EQ(m.all.size(), 8u);
        for (std::size_t i = 0; i < 8; i += 2) EXPECT_EQ(m.all[i].parts, header.length(2));
        for (int received : m.received) EXPECT_EQ(received, 2);
    }
    // Every block that is not a rank's own moves once or, with two bits in its distance, twice.
    std::int64_t moved = 0;
    for (int from = 0; from < 4; ++from)
        for (int ahead = 1; ahead < 4; ++ahead)
            moved += (ahead == 3 ? 2 : 1) * bytes(d, from, (from + ahead) % 4);
    EXPECT_EQ(sent(p), moved + 2 * 4 * header.length(2));
}

TEST(Blocks, TwoPhasesHaveTheSizesFirstAtAnyRadix) {
    const distribution d = drawn_from("dist:normal:1000");
    const auto messages = [&](const Parameters& q) {
        std::int64_t n = 0;
        const Program p = program("parlogna", 27, d, q);
        for (int s = 0; s < p.steps(); ++s)
            n += static_cast<std::int64_t>(p.messages(s).all.size());
        return n;
    };
    // The one block of a digit's farthest rounds is bare: its size needs no message.
    EXPECT_EQ(messages({{"r", 3}}), 27 * 6);
    EXPECT_EQ(messages({{"r", 3}, {"two_phase", 1}}), 2 * 27 * 6);
    EXPECT_EQ(messages({{"r", 3}, {"two_phase", 1}, {"rounds", 1}}), 2 * 27 * 6);
    EXPECT_EQ(sent(program("parlogna", 27, d, {{"r", 2}, {"two_phase", 1}, {"rounds", 1}})),
              sent(program("two_phase_bruck", 27, d)));
}

TEST(Blocks, PaddedBlocksAreAgreedOn) {
    const distribution d = drawn_from("dist:uniform:1000");
    const DrawnBlocks blocks(d, 4);
    const Program p = program("padded_bruck", 4, d);
    EXPECT_EQ(p.steps(), 2 + 2) << "an allreduce of one number, and Bruck's steps";
    EXPECT_EQ(sent(p), 2 * 4 * 8 + 2 * 4 * 2 * blocks.largest());
}

TEST(Blocks, ToldSizesAreThoseThatWereDrawn) {
    const distribution d = drawn_from("dist:power:65536");
    std::vector<std::int64_t> told;
    for (int from = 0; from < 16; ++from)
        for (int to = 0; to < 16; ++to) told.push_back(bytes(d, from, to));
    const Program drawn = program("parlogna", 16, d),
                  given{algorithm_named(Collective::alltoallv, "parlogna"),
                        Problem{Collective::alltoallv, 16},
                        std::make_shared<const DrawnBlocks>(told, 16)};
    EXPECT_EQ(run(given, "torus:4x4").seconds, run(drawn, "torus:4x4").seconds);
    EXPECT_EQ(sent(given), sent(drawn));
    told.back() = -1;
    EXPECT_THROW(DrawnBlocks(told, 16), Error);
    EXPECT_THROW(DrawnBlocks(told, 15), Error);
}

TEST(Blocks, LoadsThatAreKnownAreNotCountedAgain) {
    const Program p = program("scattered", 16, drawn_from("dist:uniform:65536"));
    const auto t = network::topology("fattree:4x4:oversubscription=2");
    const std::vector<int> at = in_order(16);
    Loads loads = step_loads(p, *t, at);
    const double seconds = Flows(p, t, at).run(1, kSpeeds).seconds;
    EXPECT_EQ(Flows(p, t, at, loads).run(1, kSpeeds).seconds, seconds);
    for (StepLoad& step : loads.steps) step.load *= 2;
    EXPECT_EQ(Flows(p, t, at, loads).known()->loads.steps.front().load, loads.steps.front().load);
}

TEST(Blocks, EveryAlgorithmKeepsBytesAndCapacities) {
    const distribution d = drawn_from("dist:power:65536");
    for (const Algorithm* a : algorithms()) {
        if (a->collective != Collective::alltoallv || !fits(*a, 16)) continue;
        for (const char* topology : {"fattree:4x4:oversubscription=2", "torus:4x4"}) {
            const Program p = program(a->name, 16, d);
            const PacketOutcome out = run(p, topology), again = run(p, topology);
            EXPECT_EQ(out.seconds, again.seconds) << a->name;
            const auto t = network::topology(topology);
            double carried = 0, routed = 0;
            for (std::size_t l = 0; l < out.busy.size(); ++l) {
                EXPECT_LE(out.busy[l], out.seconds * (1 + 1e-9)) << a->name;
                carried += out.busy[l] * t->links()[l].capacity * kSpeeds.bandwidth;
            }
            network::Route route;
            for (int s = 0; s < p.steps(); ++s)
                for (const Message& m : p.messages(s).all) {
                    t->route(m.from, m.to, route);
                    for (const network::Hop& h : route.hops)
                        routed += h.share * static_cast<double>(m.parts);
                }
            if (out.events > 0) {
                EXPECT_NEAR(carried, routed, 1e-3 * routed) << a->name << topology;
            }
        }
    }
}

TEST(Blocks, BatchesHaveAnEffect) {
    // A batch waits for the messages of the one before; with unequal blocks that leaves links idle.
    const distribution d = drawn_from("dist:power:65536");
    const auto seconds = [&](std::int64_t batch) {
        Problem q{Collective::alltoallv, 32};
        q.parameters = {{"batch", batch}};
        return run({algorithm_named(Collective::alltoallv, "scattered"), q,
                    std::make_shared<const DrawnBlocks>(d, 32)},
                   "fattree:4x8:oversubscription=4")
            .seconds;
    };
    EXPECT_GT(seconds(1), 1.2 * seconds(31));
    EXPECT_GT(seconds(2), seconds(31));
}

TEST(Blocks, AreOfAlltoallvOnly) {
    const distribution d = drawn_from("64");
    EXPECT_THROW(
        Program(algorithm_named(Collective::alltoall, "pairwise"), Problem{Collective::alltoall, 4},
                std::make_shared<const DrawnBlocks>(d, 4)),
        Error);
    EXPECT_THROW(DrawnBlocks(d, DrawnBlocks::kMostRanks + 1), Error);
}

}  // namespace
