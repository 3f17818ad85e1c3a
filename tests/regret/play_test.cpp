// The player of the replay: who waits for whom, and that ranks which do not do the same are found.
#include "regret/play.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "regret/passage.hpp"
#include "regret/policies.hpp"
#include "regret/recorded.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::regret {

namespace {

/// The library takes 10 us, an algorithm 6 us, 50 us at first.
class TwoArms : public Machine {
public:
    const std::vector<Kind>& kinds() const override { return kinds_; }
    CallTimes call(const Timed& c) const override {
        if (c.moment == Moment::first || c.moment == Moment::opening)
            return c.arm ? CallTimes{50e-6, 40e-6} : CallTimes{10e-6, 5e-6};
        return c.arm ? CallTimes{6e-6, 3e-6} : CallTimes{10e-6, 5e-6};
    }
    double agreement(std::int64_t) const override { return 20e-6; }
    double barrier(std::int64_t) const override { return 4e-6; }
    using Machine::mean;
    double mean(const Timed& c) const override { return call(c).whole; }
    double mean_agreement() const override { return 20e-6; }
    double mean_barrier() const override { return 4e-6; }
    bool crowded() const override { return false; }

private:
    std::vector<Kind> kinds_ = {{"allreduce", 8, 0, 0, {{"mpi", 1e-6}, {"ring", 1e-6}}},
                                {"bcast", 8, 0, 0, {{"mpi", 1e-6}, {"linear", 1e-6}}}};
};

Played played(const Program& program, const MakePolicy& policy,
              Without without = Without::nothing) {
    const TwoArms machine;
    return play(program, {machine, machine}, policy, without);
}

/// Does what a function does before a call; it gives the arm.
class Doing : public Policy {
public:
    using What = std::function<int(const Event&, Port&, int rank)>;
    Doing(What what, int rank) : what_(std::move(what)), rank_(rank) {}
    int begin(const Event& e, Port& port) override { return what_(e, port, rank_); }
    void end(const Event&, Port&) override {}

private:
    What what_;
    int rank_;
};
MakePolicy doing(const Doing::What& what) {
    return [what](const Stage&, int rank) { return std::make_unique<Doing>(what, rank); };
}

/// A program of one kind without late ranks.
Program without_skew(std::int64_t calls) {
    for (std::uint64_t seed = 1;; ++seed)
        if (const Program p(Family::one_kind, calls, 1, {0}, seed); p.skew().most == 0) return p;
}

std::string error_of(const MakePolicy& policy) {
    try {
        played(without_skew(5), policy);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST(Regret, CallsAddUp) {
    const Played library = played(without_skew(100), policy_named("library"));
    EXPECT_NEAR(library.seconds, 1000e-6, 1e-9);
    EXPECT_NEAR(library.expected, 1000e-6, 1e-9);
    const Played best = played(without_skew(100), policy_named("best"));
    EXPECT_NEAR(best.seconds, (50 + 99 * 6) * 1e-6, 1e-9);
    EXPECT_NEAR(played(without_skew(100), policy_named("best"), Without::setup).seconds, 600e-6,
                1e-9);
    EXPECT_EQ(played(without_skew(100), policy_named("best"), Without::calls).seconds, 0);
}

TEST(Regret, AgreementsAndBarriersTakeTime) {
    const Played all = played(without_skew(10), doing([](const Event&, Port& port, int rank) {
                                  double most = rank;
                                  port.maxima({&most, 1});
                                  port.barrier();
                                  return most > 0 ? 0 : 1;
                              }));
    EXPECT_NEAR(all.seconds, 10 * (10 + 20 + 4) * 1e-6, 1e-9);
    EXPECT_EQ(all.served, std::vector<std::int64_t>{10});
    EXPECT_EQ(all.agreements, 10);
    EXPECT_EQ(all.barriers, 10);
}

TEST(Regret, RanksThatDifferAreFound) {
    EXPECT_NE(error_of(doing([](const Event& e, Port&, int rank) {
                  return rank * (e.at == 3);
              })).find("different arms: rank 0 calls by arm 0 in event 3"),
              std::string::npos);
    EXPECT_NE(error_of(doing([](const Event& e, Port& port, int rank) {
                  if (rank == 1 && e.at == 2) port.barrier();
                  return 0;
              })).find("do not do the same"),
              std::string::npos);
    EXPECT_NE(error_of(doing([](const Event&, Port& port, int rank) {
                  std::vector<double> numbers(static_cast<std::size_t>(1 + rank));
                  port.maxima(numbers);
                  return 0;
              })).find("agree on different things"),
              std::string::npos);
    EXPECT_NE(error_of(doing([](const Event&, Port&, int) { return 2; })).find("no arm 2"),
              std::string::npos);
}

TEST(Regret, ADecisionByTheOwnClockIsFound) {
    EXPECT_NE(error_of(doing([](const Event&, Port& port, int) {
                  return static_cast<int>(port.clock() * 1e6) % 2;
              })).find("different arms"),
              std::string::npos);
}

TEST(Regret, LastToComeSpendsLeast) {
    std::vector<double> at = {0, 7, 2};
    pass(Leaves::none, {3, 1}, at);
    EXPECT_EQ(at, (std::vector<double>{10, 8, 9}));
    at = {1, 7, 2};
    pass(Leaves::root, {3, 1}, at);
    EXPECT_EQ(at, (std::vector<double>{2, 9, 5}));
    at = {1, 7, 2};
    pass(Leaves::all_but_root, {3, 1}, at);
    EXPECT_EQ(at, (std::vector<double>{10, 8, 3}));
}

TEST(Regret, LateRanksAreNotOfTheCalls) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Program program(Family::phases, 50, 1, {0}, seed);
        const double waiting = played(program, policy_named("library"), Without::calls).seconds;
        const Played all = played(program, policy_named("library"));
        EXPECT_EQ(waiting > 0, program.skew().most > 0);
        // The last rank to come spends least in a call, so that some of it passes beside lateness.
        const double calls = all.seconds - waiting, rounding = 1e-9;
        EXPECT_LE(calls, all.expected + rounding) << seed;
        EXPECT_GE(calls, all.expected * (waiting > 0 ? 0.5 : 1) - rounding) << seed;
    }
}

TEST(Regret, ProgramsKeepTheirPromises) {
    for (int family = 0; family < kFamilies; ++family)
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            const Program program(static_cast<Family>(family), 7, 20, {1, 2, 3}, seed);
            std::map<int, Ranks> members;
            std::set<int> freed;
            std::map<int, std::int64_t> calls;
            Program::Walk walk = program.walk();
            std::int64_t events = 0;
            for (Event e; walk.next(e); ++events) {
                EXPECT_EQ(e.index, events);
                EXPECT_FALSE(freed.contains(e.communicator));
                EXPECT_EQ(members.try_emplace(e.communicator, e.members).first->second, e.members);
                if (e.what == Event::What::freed) {
                    freed.insert(e.communicator);
                    continue;
                }
                EXPECT_TRUE(e.kind >= 0 && e.kind < 20);
                EXPECT_EQ(e.at, calls[e.kind]++);
            }
            EXPECT_EQ(events, program.events());
            EXPECT_EQ(freed.size(), family == static_cast<int>(Family::short_lived) ? 7u : 0u);
        }
}

TEST(Regret, RecordingsAreRead) {
    const std::string text =
        "library Some MPI 1\nranks 4\nnetwork node:4\ncores 2\ndate 2026-01-01\n"
        "kind 0 bcast 64 1 5000\narm 0 0 mpi 100\narm 0 1 linear 90\n"
        "agreement 0 0 1179 1179 1179\nbarrier 0 0 884 884 884\ndup 0 0 1179 1179 1179\n"
        "first 0 0 884 884 295\nopening 0 1 1474 1474 884\napart 0 0 884 884 295\n"
        "apart 0 1 884 884 295\nloop 0 0 884 589 900 700 295 0\nloop 0 1 589 589 0\n";
    std::istringstream in(text);
    const Recording r = read_recording(in, "x");
    EXPECT_EQ(r.library, "Some MPI 1");
    ASSERT_EQ(r.kinds.size(), 1u);
    EXPECT_EQ(r.kinds[0].arms[1].name, "linear");
    EXPECT_DOUBLE_EQ(r.kinds[0].counting, 5e-6);
    const RecordedMachine machine(r, 1);
    EXPECT_TRUE(machine.crowded());
    const CallTimes second = machine.call({0, 0, Moment::loop, 1, 0});
    EXPECT_NEAR(second.whole, 100e-9, 0.004 * 100e-9);
    EXPECT_NEAR(second.least, 1e-9, 1e-12);
    EXPECT_NEAR(machine.agreement(0), 10e-6, 0.004 * 10e-6);
    std::istringstream broken(text + "loop 0 2 1 1 1\n");
    try {
        read_recording(broken, "x");
        FAIL();
    } catch (const Error& e) {
        EXPECT_STREQ(e.what(), "x, line 18: it has no kind and arm");
    }
}

}  // namespace hopbine::regret
