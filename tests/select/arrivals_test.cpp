/// The choice where ranks come late to calls, or run ahead of others.
#include "select/drawn_ranks.hpp"

namespace hopbine::select {

namespace {

TEST(Selector, SeesThroughRanksThatComeLate) {
    DrawnJob job;
    job.ranks = 3;
    job.calls = 4000;
    job.skew = 5;
    job.seconds = ratios({1.5, 0.3, 2});
    const Played played = DrawnRanks(job).play();
    const auto& arms = played.arms[0];
    const auto last = static_cast<std::ptrdiff_t>(arms.size() / 10);
    EXPECT_GT(std::count(arms.end() - last, arms.end(), 2), last / 2);
}

/// A call with a wrong argument returns on one rank, which makes it again, while the others wait.
TEST(Selector, MeetsOnceForACallThatIsMadeAgain) {
    for (const bool leaves : {false, true})
        for (unsigned seed = 1; seed <= 8; ++seed) {
            DrawnJob job;
            job.seed = seed;
            job.leaves = leaves;
            job.skew = leaves ? 0 : 5;
            job.refused = 0.05;
            job.seconds = ratios({1.5, 0.3, 2});
            const Played played = DrawnRanks(job).play();
            for (const auto& arms : played.arms) EXPECT_EQ(arms, played.arms[0]) << seed;
        }
}

/// Leaves of a reduce are done long before its root. What they have to wait for it, where a trial
/// has barriers, is neither an arm's time nor lost, whatever calls come between those of a trial.
TEST(Selector, ComparesArmsWhereRanksRunAhead) {
    for (const int kinds : {1, 8}) {
        double time = 0, library = 0;
        for (unsigned seed = 1; seed <= 4; ++seed) {
            DrawnJob job;
            job.seed = seed;
            job.kinds = kinds;
            job.calls = 16000 / kinds;
            job.leaves = true;
            job.ahead = 0.5;
            job.seconds = [of = ratios({1.5, 0.4, 0.9})](int kind, int arm, std::int64_t call) {
                return of(kind + 5, arm, call);  // a barrier takes far less than most calls
            };
            const Played played = DrawnRanks(job).play();
            time += played.time;
            library += played.library;
            const auto slower = std::count(played.arms[0].begin(), played.arms[0].end(), 1);
            EXPECT_LT(slower, 10 * kinds) << kinds << " kinds, seed " << seed;
        }
        EXPECT_LT(time, 0.85 * library) << kinds << " kinds";
    }
}

}  // namespace

}  // namespace hopbine::select
