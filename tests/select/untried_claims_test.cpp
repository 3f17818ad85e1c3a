// What is known of an MPI library, and the trials that its claims pay for.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "drawn_ranks.hpp"
#include "one_rank.hpp"
#include "select/known_ratios.hpp"
#include "select/model_errors.hpp"

namespace hopbine::select {
namespace {

TEST(KnownRatios, NumbersAreOfDifferentCalls) {
    std::set<std::tuple<std::string, bool, std::string, std::string>> calls;
    for (const KnownRatio& row : known_ratios()) {
        const std::string which = std::string(row.library) + ' ' + row.collective + ' ' + row.bytes;
        EXPECT_TRUE(calls.insert({row.library, row.shares, row.collective, row.bytes}).second)
            << which;
        EXPECT_GE(row.ratios, 10) << which;
        EXPECT_GT(row.ratio, 0) << which;
        EXPECT_GE(row.factor, 1) << which;
        EXPECT_NO_THROW((void)collective_named(row.collective)) << which;
    }
}

TEST(KnownRatios, AreFoundByVersionCoresAndCall) {
    for (const KnownRatio& row : known_ratios()) {
        const Collective c = collective_named(row.collective);
        const double bytes = row.bytes == std::string_view(bytes_class(8)) ? 8 : 1 << 20;
        const KnownLibrary known(std::string(row.library) + "0.2", row.shares);
        EXPECT_DOUBLE_EQ(known.untried(c, bytes).mean, std::log(row.ratio));
        EXPECT_GE(known.untried(c, bytes).deviation, kUntried.deviation);
        EXPECT_GE(known.claimed(bytes), known.untried(c, bytes).sure_gain());
        EXPECT_EQ(known.untried(c, 1e9).mean, 0) << "no such call was measured";
    }
    const KnownLibrary other("Another MPI 5.0", true);
    EXPECT_EQ(other.untried(Collective::reduce, 65536).mean, 0);
    EXPECT_EQ(other.claimed(65536), 0);
}

/// A job of two ranks, whose candidates are claimed to take 0.3 of the library's time.
DrawnJob claimed(unsigned seed, std::int64_t calls, std::array<double, 3> of) {
    DrawnJob job;
    job.seed = seed;
    job.calls = calls;
    job.ranks = 2;
    job.rare = 0.01;
    job.untried = {std::log(0.3), 0.6};
    job.seconds = ratios(of);
    return job;
}

TEST(UntriedClaims, PayForTheFirstTrials) {
    for (unsigned seed = 1; seed <= 8; ++seed) {
        DrawnJob job = claimed(seed, 60, {0.3, 0.4, 0.5});
        const Played with = DrawnRanks(job).play();
        job.untried = kUntried;
        const Played without = DrawnRanks(job).play();
        EXPECT_LT(with.time, 0.75 * with.library) << "seed " << seed;
        EXPECT_GT(without.time, 0.99 * without.library) << "seed " << seed;
    }
}

/// The first trial shows that a claim is false, and then none is left: at most what it cost is
/// lost, a first call of twice the time and three more of the longest kind.
TEST(UntriedClaims, CostLittleWhereTheyAreFalse) {
    double sum = 0;
    int jobs = 0;
    for (const std::int64_t calls : {3, 10, 30, 100, 300, 1000})
        for (unsigned seed = 1; seed <= 8; ++seed) {
            const DrawnJob job = claimed(seed, calls, {1.3, 1.1, 2.5});
            const Played played = DrawnRanks(job).play();
            const double trial = (2 * 1.3 - 1 + 3 * 0.3) * job.seconds(7, 0, 0),
                         bare = 2 * job.agreement + job.counting;
            EXPECT_LT(played.time, 1.03 * played.library + bare + trial)
                << calls << " calls, seed " << seed;
            sum += played.time / played.library;
            ++jobs;
        }
    EXPECT_LT(sum / jobs, 1.03);
}

/// Nothing is claimed where the budget is nothing.
TEST(UntriedClaims, PayForNothingWithoutABudget) {
    Account account(0);
    Selector selector(account, 1e-5);
    OneRank port;
    Selector::Kind& k = selector.kind({Collective::reduce, 10, 0}, true, 10, {std::log(0.2), 0.5});
    for (int i = 0; i < 10000; ++i) {
        if (k.passes()) continue;
        if (!selector.turn(k, true).timed) continue;
        selector.took(k, 1e-4, port);
        ASSERT_FALSE(selector.agreement_due());
    }
}

}  // namespace
}  // namespace hopbine::select
