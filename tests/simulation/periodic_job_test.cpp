// Calls one after the other, and another job's beside them, in the packet engine.
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/flows_known.hpp"
#include "simulation/test_network.hpp"

using namespace hopbine;
using namespace hopbine::simulation;

namespace {

/// One route between two nodes, so that what links carry does not depend on queues.
const char* const kTree = "fattree:3x6:oversubscription=4";
/// Each has ranks below every top link.
const std::vector<int> kOurs{0, 1, 6, 7, 12, 13}, kTheirs{2, 3, 4, 8, 9, 14};

Program program(const Algorithm& a, std::size_t ranks) {
    return Program(a, Problem{a.collective, static_cast<int>(ranks)});
}

bool serves(const Algorithm& a, std::size_t ranks) {
    const Problem q{a.collective, static_cast<int>(ranks)};
    return fits(a, q.p) && (!a.refuses || a.refuses(q).empty());
}

Program allreduce(const char* name, std::size_t ranks) {
    return program(algorithm_named(Collective::allreduce, name), ranks);
}

std::shared_ptr<const OtherCalls> calls(const Program& p, const std::vector<int>& nodes,
                                        double bytes, double period) {
    return std::make_shared<const OtherCalls>(p, nodes, bytes, period);
}

PacketOutcome run(const Program& p, const std::vector<int>& at, double bytes,
                  std::shared_ptr<const OtherCalls> beside = {}, PacketOptions o = {}) {
    o.background.calls = std::move(beside);
    return Packets(Flows(p, network::topology(kTree), at)).run(bytes, kSpeeds, o);
}

/// Seconds that each link sends for a call, also where no link is shared.
PacketOutcome followed(const Program& p, const std::vector<int>& at, double bytes,
                       const PacketOptions& o = {}) {
    const Known k = simulation::followed(p, network::topology(kTree), at);
    return run_packets(k, Hosts(at, 1, *k.topology), bytes, kSpeeds, o);
}

class BesideCalls : public testing::TestWithParam<const Algorithm*> {};

/// With such buffers.
void links_carry_both(const Algorithm& a, double buffer) {
    const Program other = program(a, kTheirs.size()),
                  own = allreduce("ring", kOurs.size()).repeated(7);
    PacketOptions o;
    o.buffer = buffer;
    const PacketOutcome of_call = followed(other, kTheirs, kMiB, o),
                        of_own = followed(own, kOurs, kMiB, o);
    // Also beside the other job, a call is over before the next is due.
    const double period = 6 * of_call.seconds;
    int whole = 0;
    for (o.seed = 1; o.seed <= 6; ++o.seed) {
        const PacketOutcome both = run(own, kOurs, kMiB, calls(other, kTheirs, kMiB, period), o);
        ASSERT_GE(both.beside.calls, 1);
        const auto done = static_cast<double>(both.beside.calls);
        bool ended = true;
        for (std::size_t l = 0; l < both.busy.size(); ++l) {
            const double theirs = both.busy[l] - of_own.busy[l], each = of_call.busy[l];
            EXPECT_GE(theirs, done * each - 1e-9) << a.name << ", link " << l << ", " << buffer;
            EXPECT_LE(theirs, (done + 1) * each + 1e-9) << a.name << ", link " << l;
            ended &= std::abs(theirs - done * each) < 1e-9;
        }
        whole += ended;
    }
    EXPECT_GE(whole, 1) << a.name << ": never was the last call over, " << buffer;
}

TEST_P(BesideCalls, LinksCarryTheBytesOfBothJobs) {
    if (!serves(*GetParam(), kTheirs.size())) return;
    links_carry_both(*GetParam(), PacketOptions{}.buffer);
    links_carry_both(*GetParam(), 32 * kKiB);
}

TEST_P(BesideCalls, RepeatedCallsSendAsOften) {
    const Algorithm& a = *GetParam();
    if (!serves(a, kOurs.size())) return;
    const Program one = program(a, kOurs.size()), three = one.repeated(3);
    EXPECT_EQ(three.steps(), 3 * one.steps());
    const PacketOutcome once = followed(one, kOurs, kMiB), thrice = followed(three, kOurs, kMiB);
    EXPECT_EQ(thrice.messages, 3 * once.messages);
    for (std::size_t l = 0; l < once.busy.size(); ++l)
        EXPECT_NEAR(thrice.busy[l], 3 * once.busy[l], 1e-9) << a.name;
    EXPECT_GT(thrice.seconds, once.seconds);
    // Whether links are shared or not, the engine itself follows all calls too.
    EXPECT_NEAR(run(three, kOurs, kMiB).seconds, thrice.seconds, 1e-3 * thrice.seconds);
}

INSTANTIATE_TEST_SUITE_P(All, BesideCalls, testing::ValuesIn(algorithms()),
                         [](const testing::TestParamInfo<const Algorithm*>& info) {
                             return std::string(name(info.param->collective)) + "_" +
                                    info.param->name;
                         });

TEST(PeriodicJob, WithoutBytesChangesNothing) {
    const Program own = allreduce("rabenseifner", kOurs.size());
    const PacketOutcome alone = run(own, kOurs, kMiB),
                        beside = run(own, kOurs, kMiB,
                                     calls(allreduce("ring", kTheirs.size()), kTheirs, 0, 1e-3));
    EXPECT_EQ(beside.seconds, alone.seconds);
    EXPECT_EQ(beside.events, alone.events);
    EXPECT_EQ(beside.busy, alone.busy);
    EXPECT_EQ(beside.beside.calls, 0);
}

TEST(PeriodicJob, CallsOnceInEveryPeriod) {
    // The jobs share no link: the own one tells the time that passes.
    const std::vector<int> own_nodes{0, 1, 2, 3}, nodes{6, 7, 8, 9, 12, 13, 14};
    const Program own = allreduce("ring", own_nodes.size()).repeated(200),
                  other = allreduce("ring", nodes.size());
    const double alone = run(own, own_nodes, kMiB).seconds,
                 call = followed(other, nodes, kMiB).seconds;
    for (const double periods : {1.5, 4.0}) {
        const double period = periods * call;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            PacketOptions o;
            o.seed = seed;
            const PacketOutcome out =
                run(own, own_nodes, kMiB, calls(other, nodes, kMiB, period), o);
            EXPECT_NEAR(out.seconds, alone, 1e-9);
            // The job begins in the second period.
            EXPECT_GE(out.beside.calls, std::floor(out.seconds / period));
            EXPECT_LE(out.beside.calls, std::ceil(out.seconds / period) + 2);
            EXPECT_EQ(out.beside.late, 0);
            EXPECT_NEAR(out.beside.seconds, call, 1e-3 * call);
        }
    }
}

TEST(PeriodicJob, CallsThatTakeLongerThanThePeriodFollowOneAnother) {
    const std::vector<int> own_nodes{0, 1, 2, 3}, nodes{6, 7, 8, 9, 12, 13, 14};
    const Program own = allreduce("ring", own_nodes.size()).repeated(200),
                  other = allreduce("ring", nodes.size());
    const double call = followed(other, nodes, kMiB).seconds;
    const PacketOutcome out = run(own, own_nodes, kMiB, calls(other, nodes, kMiB, call / 10));
    EXPECT_GE(out.beside.late, out.beside.calls - 1);
    EXPECT_NEAR(static_cast<double>(out.beside.calls) * out.beside.seconds, out.seconds,
                2.2 * out.beside.seconds);
}

TEST(PeriodicJob, DelaysAJobMoreTheMoreItSendsOverItsLinks) {
    const Program own = allreduce("ring", kOurs.size()).repeated(50);
    double before = run(own, kOurs, kMiB).seconds;
    for (const double bytes : {0.25 * kMiB, kMiB, 4 * kMiB}) {
        const double now =
            run(own, kOurs, kMiB,
                calls(allreduce("rabenseifner", kTheirs.size()), kTheirs, bytes, 1e-3))
                .seconds;
        EXPECT_GT(now, before) << bytes;
        before = now;
    }
}

TEST(PeriodicJob, HugeBuffersAreNoneAndSmallOnesDelayMore) {
    const Program own = allreduce("ring", kOurs.size()).repeated(20),
                  other = program(algorithm_named(Collective::alltoall, "linear"), kTheirs.size());
    const auto beside = [&](double buffer) {
        PacketOptions o;
        o.buffer = buffer;
        return run(own, kOurs, kMiB, calls(other, kTheirs, 4 * kMiB, 1e-3), o);
    };
    const PacketOutcome none = beside(PacketOptions{}.buffer), huge = beside(1e12),
                        small = beside(16 * kKiB);
    EXPECT_EQ(huge.seconds, none.seconds);
    EXPECT_EQ(huge.busy, none.busy);
    EXPECT_EQ(huge.beside.seconds, none.beside.seconds);
    EXPECT_GT(small.seconds, 1.1 * none.seconds);
}

TEST(PeriodicJob, RefusesWhatIsNoJob) {
    const Program ring = allreduce("ring", kTheirs.size());
    EXPECT_THROW(calls(ring, kOurs, kMiB, 0), Error);
    EXPECT_THROW(calls(ring, kOurs, -1, 1), Error);
    EXPECT_THROW(calls(ring, {2, 3}, kMiB, 1), Error);
    EXPECT_THROW(ring.repeated(0), Error);
    EXPECT_THROW(ring.repeated(1 << 30), Error);
    // Nodes of both jobs, twice in one, and outside the network.
    for (const std::vector<int>& nodes :
         {std::vector{0, 3, 4, 8, 9, 14}, {2, 2, 4, 8, 9, 14}, {2, 3, 4, 8, 9, 18}})
        EXPECT_THROW(run(ring, kOurs, kMiB, calls(ring, nodes, kMiB, 1)), Error);
}

}  // namespace
