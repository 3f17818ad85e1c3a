// What the account tells of a job: what calls cost and save, held against what was played.
#include <gtest/gtest.h>

#include "select/drawn_ranks.hpp"
#include "select/one_rank.hpp"

namespace hopbine::select {
namespace {

/// Calls from which ranks may leave, in which a rank waits for others; between barriers it waits in
/// these, and the call takes as much less.
class BarrierTest : public testing::TestWithParam<double> {
protected:
    static constexpr double kCall = 1e-4, kBarrier = 1e-5;
    /// Makes calls until the trials have ended, of which one was made.
    void play() {
        for (int i = 0; i < 3000; ++i) {
            if (kind.passes()) continue;
            const auto turn = selector.turn(kind, true);
            if (turn.barrier) {
                port.now += kBarrier + waits;
                Selector::waited(kind, kBarrier + waits);
                ++barriers;
            }
            const double own = turn.arm ? 0.5 * kCall : kCall;
            const double seconds = turn.barrier ? own : own + waits;
            port.now += seconds;
            if (!turn.timed) continue;
            selector.took(kind, seconds, port);
            if (selector.agreement_due()) selector.agree(port, offers);
        }
    }
    const double waits = GetParam();
    int barriers = 0;
    Account account;
    OneRank port;
    Given offers;
    Selector selector{account, 5e-5};
    Selector::Kind& kind = selector.kind({Collective::reduce, 10, 0}, true, 2);
};

/// Whatever ranks wait for one another, as they would without barriers.
TEST_P(BarrierTest, CostsWhatItAddsToCalls) {
    offers.all = {{.name = 7}};
    play();
    ASSERT_GT(barriers, 0);
    EXPECT_NEAR(selector.barrier_price(), kBarrier, 0.3 * kBarrier);
}

INSTANTIATE_TEST_SUITE_P(Waits, BarrierTest, testing::Values(0.0, 5e-5));

/// Jobs in which one call in a hundred takes twenty times as long, so that what is chosen is often
/// what a late call of the library has made look good.
struct Late {
    bool leaves;
    double skew, ahead;
};
class ToldGainTest : public testing::TestWithParam<Late> {};

TEST_P(ToldGainTest, IsNoMoreThanWhatWasGained) {
    double told = 0, gained = 0, all = 0;
    for (unsigned seed = 1; seed <= 24; ++seed) {
        DrawnJob job;
        job.seed = seed;
        job.ranks = 2;
        job.calls = 600;
        job.rare = 0.01;
        job.leaves = GetParam().leaves;
        job.skew = GetParam().skew;
        job.ahead = GetParam().ahead;
        job.seconds = ratios({1.2, 0.5, 0.9});
        const Played played = DrawnRanks(job).play();
        told += played.saved - played.spent;
        job.seconds = ratios({1, 1, 1});  // nothing can be gained
        const double without = DrawnRanks(job).play().time;
        gained += without - played.time;
        all += without;
    }
    EXPECT_LT(told, gained + 0.01 * all);
    EXPECT_GT(told, 0.4 * gained - 0.01 * all);
}

INSTANTIATE_TEST_SUITE_P(Jobs, ToldGainTest,
                         testing::Values(Late{false, 0, 0}, Late{true, 0, 0}, Late{true, 0, 0.2},
                                         Late{false, 3, 0}, Late{true, 3, 0}));

}  // namespace
}  // namespace hopbine::select
