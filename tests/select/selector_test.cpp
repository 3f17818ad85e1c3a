#include "select/selector.hpp"

#include <gtest/gtest.h>

#include "drawn_ranks.hpp"
#include "one_rank.hpp"

namespace hopbine::select {
namespace {

/// Drawn jobs: any number of kinds and calls, ratios from a third to three times, any noise. In
/// half of them untried candidates are claimed to be faster.
DrawnJob drawn(unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> part;
    const auto scale = [&](double low, double high) {
        return low * std::pow(high / low, part(random));
    };
    DrawnJob job;
    job.seed = seed;
    job.ranks = 1 + static_cast<int>(random() % 4);
    job.kinds = 1 + static_cast<int>(random() % 12);
    job.calls = static_cast<std::int64_t>(scale(5, 1500));
    job.agreement = scale(2e-6, 1e-4);
    job.counting = scale(1e-5, 3e-4);
    job.setup = scale(1e-6, 1e-4);
    job.noise = scale(0.01, 1);
    job.rare = part(random) < 0.5 ? 0.01 : 0;
    job.skew = part(random) < 0.3 ? scale(0.1, 10) : 0;
    job.leaves = part(random) < 0.5;
    job.seconds = ratios({scale(0.33, 3), scale(0.33, 3), scale(0.33, 3)});
    if (part(random) < 0.5) job.untried = {std::log(scale(0.1, 0.5)), scale(0.45, 0.7)};
    return job;
}

/// A job in which the library is the fastest, and one call in a hundred is late.
DrawnJob with_late_calls(unsigned seed, std::int64_t calls) {
    DrawnJob job;
    job.seed = seed;
    job.calls = calls;
    job.rare = 0.01;
    job.ranks = 2;
    job.seconds = ratios({1.3, 1.1, 2.5});
    return job;
}

constexpr unsigned kJobs = 60;

TEST(Selector, RanksTakeTheSameArmsWhateverTheyMeasure) {
    for (unsigned seed = 1; seed <= kJobs; ++seed) {
        const Played played = DrawnRanks(drawn(seed)).play();
        for (const auto& arms : played.arms) EXPECT_EQ(arms, played.arms[0]) << "seed " << seed;
    }
}

/// The invariant: what is planned, with the agreement that ends it, fits into the balance. Under
/// any noise. An agreement itself, and what is counted in it, is seen only afterwards.
TEST(Selector, PlansNothingThatTheAccountDoesNotAllow) {
    for (unsigned seed = 1; seed <= kJobs; ++seed) {
        DrawnJob job = drawn(seed);
        job.noise *= 3;
        EXPECT_GE(DrawnRanks(job).play().worst_start, -1e-9) << "seed " << seed;
    }
}

TEST(Selector, LosesLittleAtAnyNumberOfCalls) {
    double sum = 0;
    int jobs = 0;
    for (const std::int64_t calls : {3, 10, 30, 100, 300, 1000})
        for (unsigned seed = 1; seed <= 6; ++seed) {
            const DrawnJob job = with_late_calls(seed, calls);
            const Played played = DrawnRanks(job).play();
            // The first agreement is paid by modelled times, as no other is known yet.
            EXPECT_LT(played.time, 1.03 * played.library + 2 * job.agreement + job.counting)
                << calls << " calls, seed " << seed;
            sum += played.time / played.library;
            ++jobs;
        }
    EXPECT_LT(sum / jobs, 1.01);
}

/// One call in a hundred takes twenty times as long, whatever serves it: a few of them in the times
/// of the library make it look slow. One in a trial costs what cannot be known before.
TEST(Selector, IsNotDeceivedByLateCalls) {
    for (const std::int64_t calls : {1000, 3000}) {
        double sum = 0;
        constexpr unsigned kSeeds = 20;
        for (unsigned seed = 1; seed <= kSeeds; ++seed) {
            const Played played = DrawnRanks(with_late_calls(seed, calls)).play();
            EXPECT_LT(played.time, 1.03 * played.library) << calls << " calls, seed " << seed;
            sum += played.time / played.library;
        }
        EXPECT_LT(sum / kSeeds, 1.007) << calls << " calls";
    }
}

TEST(Selector, FindsWhatIsFaster) {
    for (const bool leaves : {false, true})
        for (unsigned seed = 1; seed <= 4; ++seed) {
            DrawnJob job;
            job.seed = seed;
            job.calls = 3000;
            job.ranks = 2;
            job.leaves = leaves;
            job.seconds = ratios({1.5, 0.4, 0.9});
            const Played played = DrawnRanks(job).play();
            EXPECT_LT(played.time, 0.65 * played.library)
                << "seed " << seed << " leaves " << leaves;
            // What it says of itself is true.
            EXPECT_NEAR(played.library - played.time, played.saved - played.spent,
                        0.1 * played.library);
        }
}

TEST(Selector, SaysThatItLosesWhereItDoes) {
    DrawnJob job;
    job.ranks = 2;
    job.calls = 2000;
    job.seconds = ratios({1.4, 1.6, 2});
    const Played played = DrawnRanks(job).play();
    EXPECT_EQ(played.saved, 0);
    EXPECT_GT(played.spent, 0);
    EXPECT_NEAR(played.time - played.library, played.spent, 0.02 * played.library);
}

TEST(Selector, GoesBackToTheLibraryWhenTheMachineChanges) {
    DrawnJob job;
    job.ranks = 2;
    job.calls = 6000;
    job.seconds = [](int kind, int arm, std::int64_t call) {
        const double library = 5e-6 * std::pow(2.0, kind % 8);
        return arm == 0 ? library : library * (call < 3000 ? 0.5 : 1.5);
    };
    const Played played = DrawnRanks(job).play();
    const auto& arms = played.arms[0];
    const auto last = static_cast<std::ptrdiff_t>(arms.size() / 10);
    EXPECT_GT(std::count(arms.end() - last, arms.end(), 0), last * 9 / 10);
}

class ClaimTest : public testing::Test {
protected:
    /// Makes calls that take this long by the library, and this long by the claimed arm. Returns
    /// how many that arm served.
    int served(int calls, double library, double claimed) {
        return served(calls, kind, library, claimed);
    }
    int served(int calls, Selector::Kind& k, double library, double claimed) {
        int out = 0;
        for (int i = 0; i < calls; ++i) {
            Selector::Turn turn{0, false};
            if (!k.passes()) turn = selector.turn(k, true);
            out += turn.arm != 0;
            if (!turn.timed) continue;
            selector.took(k, turn.arm ? claimed : library, port);
            if (selector.agreement_due()) selector.agree(port, offers);
        }
        return out;
    }
    Account account;
    OneRank port;
    Given offers;
    Selector selector{account, 1e-5};
    Selector::Kind& kind = selector.kind({Collective::allreduce, 10, 0}, false, 10);
};

TEST_F(ClaimTest, ServesFromTheFirstCallsAndIsConfirmed) {
    selector.promise(kind, {.name = 7, .ratio = 0.5, .gain = 5e-4, .deviation = 0.2}, 2e-5, true);
    EXPECT_EQ(served(100, 1e-3, 5e-4), 98);  // the library serves the third call, and the 67th
    EXPECT_EQ(kind.chosen, 1);
    EXPECT_GT(account.saved(), 0.035);
}

TEST_F(ClaimTest, EndsSoonWhereItIsWrong) {
    selector.promise(kind, {.name = 7, .ratio = 0.5, .gain = 5e-4, .deviation = 0.2}, 2e-5, true);
    EXPECT_EQ(served(1000, 1e-3, 3e-3), 2);
    EXPECT_EQ(kind.chosen, 0);
    EXPECT_NEAR(account.spent(), 2 * 2e-3, 1e-4);
}

/// A call of the library that pays for connections, or is late, confirms no claim for long.
TEST_F(ClaimTest, IsNotConfirmedByOneLongCall) {
    for (const bool cold : {true, false}) {
        if (!cold) served(10, 1e-3, 1);
        Selector::Kind& k = selector.kind({Collective::allreduce, cold ? 12 : 14, 0}, false, 10);
        selector.promise(k, {.name = 7, .ratio = 0.5, .gain = 5e-4, .deviation = 0.2}, 2e-5, true);
        int all = served(2, k, 1e-3, 1.5e-3);
        all += served(1, k, 2e-2, 1.5e-3);
        all += served(1000, k, 1e-3, 1.5e-3);
        EXPECT_LT(all, 40) << cold;
        EXPECT_EQ(k.chosen, 0) << cold;
    }
}

/// Where a claim has held the library waits with its call, if the next one is clear.
TEST_F(ClaimTest, IsTrustedLongerWhereAnotherHasHeld) {
    const Offer clear{.name = 7, .ratio = 0.5, .gain = 5e-4, .deviation = 0.2};
    selector.promise(kind, clear, 2e-5, true);
    EXPECT_EQ(served(10, 1e-3, 5e-4), 9);
    const auto first_calls = [&](int size_class, Offer offer) {
        Selector::Kind& k = selector.kind({Collective::allreduce, size_class, 0}, false, 10);
        offer.name = static_cast<std::uint64_t>(size_class);
        selector.promise(k, offer, 2e-5, true);
        return served(10, k, 1e-3, 5e-4);
    };
    EXPECT_EQ(first_calls(20, clear), 10);
    Offer doubtful = clear;
    doubtful.deviation = 0.3;
    EXPECT_EQ(first_calls(22, doubtful), 9);
}

/// The first call of a claimed arm builds plans and connections, also where it is timed for calls
/// that came before the claim.
TEST_F(ClaimTest, HasAFirstCallWhereItBeginsLate) {
    served(43, 1e-3, 1);
    while (kind.passes()) continue;
    ASSERT_GT(kind.gap, 1);
    selector.promise(kind, {.name = 7, .ratio = 0.5, .gain = 5e-4, .deviation = 0.2}, 2e-5, true);
    ASSERT_EQ(selector.turn(kind, true).arm, 1);
    selector.took(kind, 2e-2, port);
    EXPECT_EQ(kind.arms[1].first, 2e-2);
    EXPECT_EQ(kind.arms[1].timed, 0);
    EXPECT_EQ(kind.begun, kind.calls - 1);
}

/// Few short calls are timed of which nothing is claimed, and all are counted.
TEST_F(ClaimTest, FewFirstCallsAreTimed) {
    const auto timed_of = [&](int size_class, double weight, const Belief& untried = kUntried) {
        Selector::Kind& k =
            selector.kind({Collective::bcast, size_class, 0}, false, weight, untried);
        Selector::time_few(k);
        std::vector<int> out;
        for (int call = 1; call <= 64; ++call) {
            if (k.passes() || !selector.turn(k, true).timed) continue;
            EXPECT_EQ(k.calls, call);
            out.push_back(call);
            selector.took(k, 1e-6, port);
        }
        return out;
    };
    const std::vector<int> few{4, 32, 48, 64}, many{1, 2, 4, 8, 16, 32, 48, 64};
    EXPECT_EQ(timed_of(4, 1), few);
    EXPECT_EQ(timed_of(20, 10), many);
    EXPECT_EQ(timed_of(5, 1, {std::log(0.5), 0.3}), many);
    EXPECT_NEAR(account.in_collectives(), 3 * 64e-6, 1e-9);
}

/// What the model puts far behind the arm that serves is not tried, unlike what nobody knows.
TEST_F(ClaimTest, IsMadeOfOtherCandidatesToo) {
    for (const double modelled : {0.9, 0.0}) {
        Selector::Kind& k = selector.kind({Collective::bcast, modelled > 0 ? 4 : 14, 0}, false, 10);
        const Offer first{.name = 7, .ratio = 0.5, .gain = 5e-4, .deviation = 0.2};
        offers.all = {first, {.name = 8, .ratio = modelled, .deviation = 0.2}};
        selector.promise(k, first, 2e-5, true);
        served(400, k, 1e-3, 5e-4);
        ASSERT_EQ(k.arms.size(), 3u);
        EXPECT_EQ(k.arms[2].cold, modelled > 0);
    }
}

/// A claim that is made late, between calls that are timed, is soon compared all the same.
TEST_F(ClaimTest, EndsSoonWhereItBeginsLate) {
    served(43, 1e-3, 1);
    while (kind.passes()) continue;
    selector.promise(kind, {.name = 7, .ratio = 0.7, .gain = 3e-4, .deviation = 0.2}, 2e-5, true);
    ASSERT_EQ(selector.turn(kind, false).arm, 0);  // hopbine cannot serve yet
    selector.took(kind, 1e-3, port);
    EXPECT_LT(served(1000, 1e-3, 2.5e-3), 8);
    EXPECT_EQ(kind.chosen, 0);
    EXPECT_EQ(account.saved(), 0);
}

/// Noise hides for long what is wrong. The account does not.
TEST_F(ClaimTest, EndsWhereTheAccountIsOverdrawn) {
    selector.promise(kind, {.name = 7, .ratio = 0.3, .gain = 2e-5, .deviation = 0.2}, 1e-3, true);
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    int all = 0;
    for (int i = 0; i < 8000; ++i) {
        const double noise = std::exp(1.2 * normal(random));
        all += served(1, 1e-3 * noise, 2.5e-3 * noise);
    }
    EXPECT_LT(all, 2000);  // of 8,000: 5,167 where the account was not asked
}

TEST_F(ClaimTest, WaitsUntilItsSetUpPays) {
    selector.promise(kind, {.name = 7, .ratio = 0.5, .gain = 1e-5, .deviation = 0.2}, 1e-4, false);
    EXPECT_EQ(served(8, 2e-5, 1e-5), 0);
    EXPECT_GT(served(24, 2e-5, 1e-5), 12);
}

TEST_F(ClaimTest, IsMadeWhereTheModelIsSurer) {
    EXPECT_FALSE(selector.promise_counted(kind, 7, 0.9e-3, 1e-3, 1.2));  // within the model's error
    EXPECT_EQ(kind.arms.size(), 1u);
    EXPECT_FALSE(selector.promise_counted(kind, 7, 0.5e-3, 1e-3, 2.1));
    EXPECT_TRUE(selector.promise_counted(kind, 7, 0.5e-3, 1e-3, 1.2));
    EXPECT_DOUBLE_EQ(kind.arms[1].gain, 1e-3 / 1.2 - 0.5e-3);
    EXPECT_DOUBLE_EQ(kind.arms[1].claimed.deviation, std::log(1.2));
}

TEST_F(ClaimTest, CountsOnceTheBytesMayHaveGainedIt) {
    const double heavy = 2 * selector.counting_price() / selector.agreement_price();
    EXPECT_FALSE(selector.counting_may_pay(kind, 0));
    EXPECT_FALSE(selector.counting_may_pay(kind, heavy));  // a quarter of them is too little
    EXPECT_EQ(served(2, 1e-3, 1e-3), 0);
    EXPECT_TRUE(selector.counting_may_pay(kind, heavy));
}

TEST_F(ClaimTest, IsNotServedWhereHopbineCannotServe) {
    selector.promise(kind, {.name = 7, .ratio = 0.5, .gain = 1e-3, .deviation = 0.2}, 0, true);
    for (int i = 0; i < 100; ++i) {
        const auto [arm, timed, barrier] = selector.turn(kind, false);
        EXPECT_EQ(arm, 0);
        if (timed) selector.took(kind, 1e-3, port);
    }
    EXPECT_EQ(kind.arms[1].served, 0);
}

TEST_F(ClaimTest, RefusedCallsAreNotCounted) {
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(selector.turn(kind, true).timed);
        selector.undo(kind);
    }
    EXPECT_EQ(kind.calls, 0);
    EXPECT_EQ(served(100, 1e-3, 1), 0);
    selector.settle_rest();
    EXPECT_EQ(kind.calls, 100);
    EXPECT_NEAR(account.in_collectives(), 0.1, 0.005);
}

/// One rank of two is refused some calls: it has to come to agreements in the same calls all the
/// same, and to the same sums.
TEST_F(ClaimTest, RefusedCallsChangeNothing) {
    Account other_account;
    Selector other{other_account, 1e-5};
    Selector::Kind& same = other.kind({Collective::allreduce, 10, 0}, false, 10);
    for (const auto& [s, k] : {std::pair(&selector, &kind), std::pair(&other, &same)})
        s->promise(*k, {.name = 7, .ratio = 0.5, .gain = 1e-3, .deviation = 0.2}, 0, true);
    for (int i = 0; i < 3000; ++i) {
        const bool ready = i % 3 != 0;
        Selector::Turn refused = other.turn(same, ready);
        if (refused.timed) {
            other.undo(same);
            refused = other.turn(same, ready);
        }
        const Selector::Turn turn = selector.turn(kind, ready);
        ASSERT_EQ(turn.arm, refused.arm) << i;
        ASSERT_EQ(turn.timed, refused.timed) << i;
        if (!turn.timed) continue;
        selector.took(kind, turn.arm ? 5e-4 : 1e-3, port);
        other.took(same, turn.arm ? 5e-4 : 1e-3, port);
        ASSERT_EQ(selector.agreement_due(), other.agreement_due()) << i;
        ASSERT_EQ(kind.arms[1].served, same.arms[1].served) << i;
        if (!selector.agreement_due()) continue;
        selector.agree(port, offers);
        other.agree(port, offers);
    }
}

TEST_F(ClaimTest, WhatAnEarlierJobLearnedIsNotTriedAgainSoon) {
    selector.trust_library(kind);
    served(255, 1e-3, 1);
    EXPECT_EQ(kind.doubt, 0);
    EXPECT_LE(account.spent(), 255 * Account::kLook);
}

TEST(Account, IsWhatItsEntriesAre) {
    Account account(0.01);
    account.start(2e-3, 0.1);
    EXPECT_NEAR(account.balance(), -1e-3, 1e-12);
    EXPECT_EQ(account.overdraft(), 0);  // the start's is left out
    account.pass_time(1, 1000);
    account.earn(0.02, 0.015);
    account.earn(-0.005, -0.004);
    account.spend(0.001);
    EXPECT_NEAR(account.allowance(), 0.001 + 0.01 + 0.01, 1e-12);
    EXPECT_NEAR(account.saved(), 0.015, 1e-12);
    EXPECT_NEAR(account.spent(), 0.008 + 1000 * Account::kLook, 1e-12);
    account.reserve(0.001);
    EXPECT_NEAR(account.balance(), 0.021 - 0.009, 1e-12);
}

TEST(Belief, GainsAndLossesAreThoseOfTheDistribution) {
    const Belief b{0.1, 0.3};
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal(b.mean, b.deviation);
    double gain = 0, loss = 0;
    constexpr int kDraws = 200000;
    for (int i = 0; i < kDraws; ++i) {
        const double x = std::exp(normal(random)) - 0.9;
        (x < 0 ? gain : loss) += std::fabs(x) / kDraws;
    }
    EXPECT_NEAR(b.gain(0.9), gain, 2e-3);
    EXPECT_NEAR(b.loss(0.9), loss, 3e-3);
    const Belief surer = b.with({0.1, 0.3});
    EXPECT_NEAR(surer.mean, 0.1, 1e-12);
    EXPECT_NEAR(surer.deviation, 0.3 / std::sqrt(2.0), 1e-12);
}

}  // namespace
}  // namespace hopbine::select
