// Engines against analytical results, against each other, and over the whole registry.
#include <gtest/gtest.h>

#include <random>

#include "simulation/flows_known.hpp"
#include "simulation/sharing.hpp"
#include "simulation/test_network.hpp"

using namespace hopbine;
using namespace hopbine::simulation;

namespace {

Program program(Collective c, const char* name, int p, std::vector<int> shape = {},
                Parameters parameters = {}) {
    Problem q{c, p, 0, std::move(parameters)};
    q.shape = std::move(shape);
    return Program(algorithm_named(c, name), q);
}

struct Times {
    double step, flow;
};

Times times(const Program& p, const network::TopologyPtr& t, double bytes,
            double resolution = Flows::kResolution) {
    const auto at = in_order(p.ranks());
    return {step_time(step_loads(p, *t, at), p, kSpeeds, bytes),
            Flows(p, t, at).run(bytes, kSpeeds, -1, resolution).seconds};
}

TEST(Simulation, OneMessageTakesItsTransferAndItsLatency) {
    const auto t = network::topology("torus:8x8");
    const Program p = program(Collective::bcast, "binomial_doubling", 2);
    const std::vector<int> at = {0, 3 * 8 + 2};  // five hops
    const double expected = kMiB / 50e9 + 7 * 100e-9 + 6 * 300e-9;
    EXPECT_NEAR(step_time(step_loads(p, *t, at), p, kSpeeds, kMiB), expected, 1e-15);
    EXPECT_NEAR(Flows(p, t, at).run(kMiB, kSpeeds).seconds, expected, 1e-15);
}

TEST(Simulation, SharesAreMaxMinFair) {
    // Links a, b, c in a row on a ring. Flow 0 uses a and b, flow 1 b, flow 2 b and c, flow 3 c
    // with half its data.
    const auto t = network::topology("torus:8");
    const auto link = [&](int from) {
        for (std::size_t l = 0; l < t->links().size(); ++l)
            if (t->links()[l].from == from && t->links()[l].to == from + 1)
                return static_cast<int>(l);
        return -1;
    };
    Sharing s(*t, 6);
    const int f0 = s.add({{link(0), 1}, {link(1), 1}}), f1 = s.add({{link(1), 1}}),
              f2 = s.add({{link(1), 1}, {link(2), 1}}), f3 = s.add({{link(2), 0.5}});
    EXPECT_EQ(s.share().size(), 4u);
    for (int f : {f0, f1, f2}) EXPECT_DOUBLE_EQ(s.rate(f), 2);
    EXPECT_DOUBLE_EQ(s.rate(f3), 8);
    s.remove(f1);
    s.share();
    EXPECT_DOUBLE_EQ(s.rate(f0), 3);
    EXPECT_DOUBLE_EQ(s.rate(f2), 3);
    EXPECT_DOUBLE_EQ(s.rate(f3), 6);
    const int alone = s.add({{link(5), 1}});
    EXPECT_EQ(s.share(), std::vector<int>{alone}) << "what a change does not reach keeps its rate";
}

TEST(Simulation, EnginesAgreeWhereAllRanksAreInStep) {
    for (const std::vector<int>& shape : {std::vector{8, 8}, {4, 4, 4}, {16}})
        for (const char* name : {"swing", "swing_small", "bucket", "torus_doubling",
                                 "torus_doubling_small", "torus_bine"}) {
            const int p = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
            std::string text = "torus:";
            for (int n : shape) text += (text.back() == ':' ? "" : "x") + std::to_string(n);
            const Times t = times(program(Collective::allreduce, name, p, shape),
                                  network::topology(text), 2 * kMiB);
            EXPECT_NEAR(t.flow / t.step, 1, 1e-9) << name << ' ' << text;
        }
}

TEST(Simulation, FollowingEveryMessageIsTheSameAsStepByStepWhereNothingIsShared) {
    for (const auto& [shape, text] : {std::pair{std::vector{4, 8}, "torus:4x8"},
                                      {{8, 8}, "hammingmesh:4x4:2x2"},
                                      {{6, 6}, "hyperx:6x6"}})
        for (const char* name : {"bucket", "hamiltonian"}) {
            const int p = shape[0] * shape[1];
            Problem q{Collective::allreduce, p};
            q.shape = shape;
            const Algorithm& a = algorithm_named(Collective::allreduce, name);
            const Program run(a, q);
            const auto t = network::topology(text);
            const auto at = in_order(p);
            const Outcome fast = Flows(run, t, at).run(kMiB, kSpeeds);
            std::map<int, Messages> messages;
            for (int s = 0; s < run.steps(); ++s)
                messages.emplace(run.pattern(s), run.messages(run.pattern(s)));
            EXPECT_FALSE(fast.shared) << name << ' ' << text;
            EXPECT_NEAR(
                run_shared(run, messages, *t, at, kMiB, kSpeeds, -1, 0).seconds / fast.seconds, 1,
                1e-9)
                << name << ' ' << text;
        }
}

TEST(Simulation, TakingEventsTogetherChangesLittle) {
    std::mt19937 random(7);
    auto at = in_order(72);
    std::shuffle(at.begin(), at.end(), random);
    at.resize(64);
    const auto t = network::topology("dragonfly:9x4x2");
    for (const char* name : {"bine_large", "rabenseifner", "ring", "recursive_doubling"}) {
        const Program p = program(Collective::allreduce, name, 64);
        const Flows flows(p, t, at);
        for (double bytes : {1024.0, 4 * kMiB})
            EXPECT_NEAR(
                flows.run(bytes, kSpeeds).seconds / flows.run(bytes, kSpeeds, -1, 0).seconds, 1,
                0.01)
                << name << ' ' << bytes;
    }
}

class Simulated : public testing::TestWithParam<const Algorithm*> {};

/// Every algorithm completes on every network, no faster than its most loaded link permits. A
/// watched rank reports all its sends and receives.
TEST_P(Simulated, ComesToItsEndOnEveryNetwork) {
    const Algorithm& a = *GetParam();
    for (const char* text :
         {"torus:4x4", "torus:2x3x2", "hyperx:4x3", "hammingmesh:2x2:2x2", "dragonfly:3x2x2",
          "dragonfly_plus:3x2x2x2", "fattree:4x4", "fattree:2x2x4:oversubscription=2"}) {
        const auto t = network::topology(text);
        Problem q{a.collective, t->nodes()};
        q.shape = t->shape();
        if (!fits(a, q.p) || (a.refuses && !a.refuses(q).empty())) continue;
        const Program p(a, q);
        const auto at = in_order(q.p);
        const Outcome o = Flows(p, t, at).run(kMiB, kSpeeds, 1);
        const auto loads = link_loads(p, *t, at, 0, p.steps());
        const double busiest = *std::max_element(loads.begin(), loads.end()) * kMiB /
                               static_cast<double>(p.parts()) / kSpeeds.bandwidth;
        EXPECT_GE(o.seconds, busiest * (1 - 1e-9)) << a.name << ' ' << text;
        double sent = 0, expected = 0;
        for (const Event& e : o.of_rank) {
            EXPECT_LE(e.begin, e.end);
            EXPECT_LE(e.end, o.seconds * (1 + 1e-12));
            if (e.sent) sent += e.bytes;
        }
        for (int s = 0; s < p.steps(); ++s)
            for (const Message& m : p.messages(s).all)
                if (m.from == 1)
                    expected +=
                        static_cast<double>(m.parts) * kMiB / static_cast<double>(p.parts());
        EXPECT_NEAR(sent, expected, 1e-6 * expected + 1e-9) << a.name << ' ' << text;
    }
}
INSTANTIATE_TEST_SUITE_P(All, Simulated, testing::ValuesIn(algorithms()),
                         [](const testing::TestParamInfo<const Algorithm*>& info) {
                             return std::string(name(info.param->collective)) + "_" +
                                    info.param->name;
                         });

Deficiencies counted(const char* algorithm, const std::string& text) {
    const auto t = network::topology(text);
    const Program p = program(Collective::allreduce, algorithm, t->nodes(), t->shape());
    const auto at = in_order(t->nodes());
    return deficiencies(step_loads(p, *t, at), p, t->ports(), Flows(p, t, at).shared());
}

TEST(Simulation, CountsTheDeficienciesOfTable2) {
    EXPECT_NEAR(counted("swing", "torus:64x64").congestion, 1.19, 0.01);
    EXPECT_NEAR(counted("swing", "torus:16x16x16").congestion, 1.03, 0.01);
    EXPECT_NEAR(counted("swing", "torus:8x8x8x8").congestion, 1.008, 0.003);
    const Deficiencies bucket = counted("bucket", "torus:16x16");
    EXPECT_DOUBLE_EQ(bucket.congestion, 1);
    EXPECT_NEAR(bucket.bandwidth, 1, 0.01);
    EXPECT_DOUBLE_EQ(bucket.latency, 4 * 15 / 8.0);  // about 2 D p^(1/D) / log2 p
    const Deficiencies oblong = counted(
        "bucket",
        "torus:16x4");  // Sec. 5.2: as on 16x16, except for the steps of the shorter dimension
    EXPECT_DOUBLE_EQ(oblong.congestion, 1);
    EXPECT_NEAR(oblong.bandwidth, 1, 0.02);
    EXPECT_DOUBLE_EQ(oblong.latency, 4 * 15 / 6.0);
    EXPECT_DOUBLE_EQ(counted("hamiltonian", "torus:16x16").congestion, 1);
    EXPECT_NEAR(counted("torus_doubling", "torus:16x16").bandwidth, 4, 0.05);           // 2 D
    EXPECT_DOUBLE_EQ(counted("torus_doubling_small", "torus:16x16").bandwidth, 2 * 8);  // D log2 p
}

TEST(Simulation, RefusesPlacesThatAreNone) {
    const auto t = network::topology("torus:4");
    const Program p = program(Collective::allreduce, "ring", 3);
    EXPECT_THROW(step_loads(p, *t, {0, 1}), Error);
    EXPECT_THROW(step_loads(p, *t, {0, 1, 4}), Error);
    EXPECT_THROW(link_loads(p, *t, {0, 1, 2}, 0, 99), Error);
}

}  // namespace
