// The bound of PAT's messages, and its number of steps at both ends.
#include "families/exchange/pat.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/integers.hpp"

using namespace hopbine;

TEST(Pat, MessagesHaveAtMostSoManyBlocks) {
    for (int p : {2, 7, 16, 21, 64})
        for (int trees = 1; trees <= 1 << ceil_log2(p); trees *= 2) {
            const SchedulePtr s = pat::allgather(p, trees);
            std::int64_t largest = 0;
            for (int t = 0; t < s->steps(); ++t) {
                MoveSizes sizes;
                s->sizes(0, t, sizes);
                for (const MoveSize& m : sizes) largest = std::max(largest, m.blocks);
            }
            EXPECT_LE(largest, trees) << p;
            EXPECT_GT(2 * largest, std::min(trees, p / 2)) << p << ' ' << trees;
        }
    EXPECT_EQ(pat::steps(64, 64), 6);
    EXPECT_EQ(pat::steps(64, 32), 6);
    EXPECT_EQ(pat::steps(64, 8), 3 + 7);
    EXPECT_EQ(pat::steps(100, 1), 99);
}
