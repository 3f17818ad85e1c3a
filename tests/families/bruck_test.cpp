// Bruck's algorithms of radix 2 against the paper's formulas, written out here.
#include <gtest/gtest.h>

#include <cmath>

#include "families/seen.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

using namespace hopbine;

namespace {

void expect_radix_two(Collective c, int p, int (*distance)(int),
                      BlockSet (*sent)(int rank, int step, int p)) {
    const Algorithm& a = algorithm_named(c, "bruck");
    const SchedulePtr s = schedule(a, {c, p, 0, {}});
    ASSERT_EQ(s->steps(), ceil_log2(p));
    EXPECT_EQ(s->traits().period, 1);
    for (int step = 0; step < s->steps(); ++step)
        for (int rank = 0; rank < p; ++rank) {
            const int to = mod(rank + distance(step), p), from = mod(rank - distance(step), p);
            EXPECT_EQ(seen(*s, rank, step),
                      (Seen{{Direction::send, Op::copy, to, sent(rank, step, p).text()},
                            {Direction::recv, Op::copy, from, sent(from, step, p).text()}}))
                << "p " << p << " step " << step << " rank " << rank;
        }
}

TEST(Bruck, IndexOfRadixTwoMovesBitByBit) {
    for (int p = 1; p <= 70; ++p)
        expect_radix_two(
            Collective::alltoall, p, [](int step) { return 1 << step; },
            [](int rank, int step, int p) {
                std::vector<Block> moving;
                for (int direction = 0; direction < p; ++direction)
                    if (direction >> step & 1)
                        moving.push_back(Block{mod(rank - direction % (1 << step), p)} * p +
                                         mod(rank - direction % (1 << step) + direction, p));
                return BlockSet::of(std::move(moving));
            });
}

TEST(Bruck, ConcatenationOfRadixTwoDoubles) {
    for (int p = 1; p <= 70; ++p)
        expect_radix_two(
            Collective::allgather, p, [](int step) { return -(1 << step); },
            [](int rank, int step, int p) {
                return BlockSet::circular(rank, std::min(1 << step, p - (1 << step)), p);
            });
}

TEST(Bruck, TheRadixNearTheRootLeavesNoBlockAlone) {
    const Algorithm& a = algorithm_named(Collective::alltoallv, "parlogna");
    for (int p = 8; p <= 400; ++p) {
        const SchedulePtr s = schedule(a, {a.collective, p, 0, {}});
        EXPECT_EQ(s->steps(), 2) << p;
        int messages = 0;
        for (int step = 0; step < s->steps(); ++step) {
            Step moves;
            s->moves(0, step, moves);
            for (const Move& m : moves) {
                EXPECT_GT(m.blocks.size(), 1) << "p " << p;
                messages += m.direction == Direction::send;
            }
        }
        EXPECT_LE(messages, 2 * std::sqrt(p) + 2) << p;
    }
}

TEST(ParLogNa, RoundsAreOneAfterAnother) {  // HPDC'25, Algorithm 1
    const Algorithm& a = algorithm_named(Collective::alltoallv, "parlogna");
    for (int p = 2; p <= 40; ++p)
        for (std::int64_t r : {2, 3, 5, 8, 40}) {
            const SchedulePtr together = schedule(a, {a.collective, p, 0, {{"r", r}}}),
                              apart = schedule(a, {a.collective, p, 0, {{"r", r}, {"rounds", 1}}});
            EXPECT_LE(apart->steps(), together->steps() * (r - 1)) << "K <= w (r - 1)";
            for (int rank = 0; rank < p; ++rank) {
                Seen one_step, rounds;
                for (int s = 0; s < together->steps(); ++s)
                    for (const auto& m : seen(*together, rank, s)) one_step.push_back(m);
                for (int s = 0; s < apart->steps(); ++s) {
                    const Seen now = seen(*apart, rank, s);
                    EXPECT_EQ(now.size(), 2u) << "a message each way";
                    rounds.insert(rounds.end(), now.begin(), now.end());
                }
                EXPECT_EQ(rounds, one_step);
            }
        }
}

TEST(Bruck, ARadixOfAllRanksSendsEveryBlockStraight) {
    for (const char* collective : {"alltoall", "allgather"}) {
        const Collective c = collective_named(collective);
        const SchedulePtr s = schedule(algorithm_named(c, "bruck"), {c, 7, 0, {{"k", 7}}});
        ASSERT_EQ(s->steps(), 1);
        Step moves;
        s->moves(3, 0, moves);
        EXPECT_EQ(moves.size(), 12u);
        for (const Move& m : moves) EXPECT_EQ(m.blocks.size(), 1) << collective;
    }
}

}  // namespace
