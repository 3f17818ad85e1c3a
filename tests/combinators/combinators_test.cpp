// Properties that combinators must keep, independent of any one algorithm.
#include "combinators/combinators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "combinators/segments.hpp"
#include "combinators/subset.hpp"
#include "combinators/symmetric.hpp"
#include "families/exchange/butterfly.hpp"
#include "families/ring/ring.hpp"
#include "families/seen.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"
#include "verify/check.hpp"

using namespace hopbine;

namespace {

bool same(const Schedule& a, const Schedule& b, int p) {
    if (a.steps() != b.steps()) return false;
    for (int s = 0; s < a.steps(); ++s)
        for (int r = 0; r < p; ++r)
            if (seen(a, r, s) != seen(b, r, s)) return false;
    return true;
}

/// Verdict on a schedule without a registered algorithm.
SchedulePtr under_test;
Verdict verdict(Collective c, SchedulePtr s, int p, bool in_order = false, int root = 0) {
    under_test = std::move(s);
    Algorithm a{.collective = c,
                .name = "made here",
                .summary = "",
                .paper = "",
                .section = "",
                .needs_commutative = !in_order};
    a.make = [](const Problem&) { return under_test; };
    return check(a, {c, p, root, {}});
}

/// Radix 2 is the binomial tree, move for move. Its targets are half the distance away in each step
/// (Bine paper, Sec. 2.1).
TEST(Knomial, OfRadixTwoIsBinomial) {
    for (int p = 1; p <= 64; ++p) {
        const Tree t = knomial(p, 2);
        const Tree halving = Tree::grow(p, t.steps, [&](int v, int, int s) {
            const int w = v + (1 << (t.steps - 1 - s));
            return w < p ? w : -1;
        });
        EXPECT_EQ(t.parent, halving.parent);
        EXPECT_EQ(t.when, halving.when);
        EXPECT_EQ(t.order, halving.order);
    }
}

TEST(Knomial, SendsToTheChildrenOfALevelAtOnce) {
    const Tree t = knomial(6, 3);  // Fig. 2: 1 and 2 below 0, 4 and 5 below 3, 3 below 0
    EXPECT_EQ(t.parent, (std::vector<int>{-1, 0, 0, 0, 3, 3}));
    EXPECT_EQ(t.when, (std::vector<int>{-1, 1, 1, 0, 1, 1}));
    for (int p : {2, 5, 27, 64, 100})
        for (int k : {2, 3, 4, 9, 100}) {
            const Tree tree = knomial(p, k);
            std::map<std::pair<int, int>, int> sends;  // per rank and step
            for (int v = 1; v < p; ++v)
                ++sends[{tree.parent[static_cast<std::size_t>(v)],
                         tree.when[static_cast<std::size_t>(v)]}];
            for (const auto& [who, n] : sends) EXPECT_LE(n, k - 1);
            EXPECT_EQ(tree.steps, ceil_log(k, p));
        }
    EXPECT_EQ(knomial(9, 1 << 20).steps, 1);
}

}  // namespace

TEST(Reversed, TwiceIsTheSame) {
    for (int p : {1, 2, 5, 8, 13})
        EXPECT_TRUE(same(*reversed(reversed(ring_allgather(p), Op::reduce), Op::copy),
                         *ring_allgather(p), p));
}

TEST(Reversed, TurnsABroadcastIntoAReduction) {
    for (int p = 1; p <= 20; ++p)
        for (int root = 0; root < p; ++root) {
            const Verdict v = verdict(Collective::reduce,
                                      reversed(tree_bcast(binomial_doubling(p), root), Op::reduce),
                                      p, false, root);
            ASSERT_TRUE(v.ok) << v.why;
        }
}

TEST(BinomialTrees, KeepRankOrderOnlyWhereTheRootIsFirst) {
    const auto up = [](Tree t, int root) {
        return reversed(tree_bcast(std::move(t), root), Op::reduce);
    };
    for (int p = 1; p <= 32; ++p)
        ASSERT_TRUE(verdict(Collective::reduce, up(binomial_halving(p), 0), p, true).ok) << p;
    EXPECT_NE(verdict(Collective::reduce, up(binomial_halving(8), 3), 8, true, 3)
                  .why.find("out of rank order"),
              std::string::npos);
    EXPECT_NE(verdict(Collective::reduce, up(binomial_doubling(8), 0), 8, true)
                  .why.find("out of rank order"),
              std::string::npos);
}

TEST(Sequence, IsOneAfterTheOther) {
    const SchedulePtr first = reversed(ring_allgather(5), Op::reduce), second = ring_allgather(5),
                      both = sequence({first, second});
    ASSERT_EQ(both->steps(), 8);
    for (int s = 0; s < 8; ++s)
        EXPECT_EQ(seen(*both, 2, s), s < 4 ? seen(*first, 2, s) : seen(*second, 2, s - 4));
    EXPECT_TRUE(verdict(Collective::allreduce, both, 5).ok);
}

TEST(Rotated, ComesRound) {
    for (int p : {3, 8}) {
        const SchedulePtr tree = tree_scatter(binomial_halving(p), 0);
        for (int by = 0; by < p; ++by) {
            EXPECT_TRUE(same(*rotated(rotated(tree, p, by, true), p, p - by, true), *tree, p));
            EXPECT_TRUE(verdict(Collective::scatter, rotated(tree, p, by, true), p, false, by).ok);
        }
    }
}

TEST(Folded, KeepsRankOrderForEveryP) {
    for (int p = 1; p <= 40; ++p) {
        const Verdict v =
            verdict(Collective::allreduce,
                    folded(butterfly::whole_vector(1 << floor_log2(p), p), p), p, true);
        ASSERT_TRUE(v.ok) << v.why;
        ASSERT_EQ(v.steps, floor_log2(p) + (power_of_two(p) ? 0 : 2));
    }
}

TEST(Among, OthersAreIdle) {
    const std::vector<int> members = {6, 1, 4};
    const SchedulePtr s = on_subset(ring_allgather(3), members, 7);
    for (int t = 0; t < s->steps(); ++t) {
        for (int r : {0, 2, 3, 5}) EXPECT_TRUE(seen(*s, r, t).empty());
        for (int v = 0; v < 3; ++v) {
            const Seen moves = seen(*s, members[static_cast<std::size_t>(v)], t);
            ASSERT_EQ(moves.size(), 2u);
            EXPECT_EQ(std::get<int>(moves[0]), members[static_cast<std::size_t>(v + 1) % 3]);
            EXPECT_EQ(std::get<int>(moves[1]), members[static_cast<std::size_t>(v + 2) % 3]);
        }
    }
}

TEST(Relabelled, ServesTheSameCollectiveUnderAnyOrder) {
    const std::vector<int> order = {3, 0, 5, 1, 4, 2};
    for (Collective c : {Collective::allgather, Collective::alltoall, Collective::reduce_scatter,
                         Collective::allreduce})
        for (const Algorithm* a : algorithms())
            if (a->collective == c && fits(*a, 6)) {
                const Verdict v = verdict(c, relabelled(schedule(*a, {c, 6, 0, {}}), c, order), 6);
                EXPECT_TRUE(v.ok) << name(c) << ' ' << a->name << ": " << v.why;
            }
}

TEST(Skipping, LeavesOutWhatIsHeld) {  // a rank need not receive its own block again
    const SchedulePtr full = tree_bcast(binomial_halving(8), 0);
    const SchedulePtr less = skipping(full, [](int rank) { return BlockSet::single(rank); });
    EXPECT_EQ(seen(*full, 0, 0), (Seen{{Direction::send, Op::copy, 4, "0-7"}}));
    EXPECT_EQ(seen(*less, 0, 0), (Seen{{Direction::send, Op::copy, 4, "0-3;5-7"}}));
    EXPECT_EQ(seen(*less, 4, 0), (Seen{{Direction::recv, Op::copy, 0, "0-3;5-7"}}));
    EXPECT_TRUE(seen(*skipping(full, [](int) { return BlockSet::range(0, 8); }), 0, 0).empty());
}

TEST(BlockByBlock, EveryBlockIsAMove) {
    const SchedulePtr one = block_by_block(one_message(0, 2, BlockSet::of({1, 2, 5})));
    EXPECT_EQ(seen(*one, 0, 0), (Seen{{Direction::send, Op::copy, 2, "1"},
                                      {Direction::send, Op::copy, 2, "2"},
                                      {Direction::send, Op::copy, 2, "5"}}));
    EXPECT_EQ(seen(*one, 2, 0).size(), 3u);
    EXPECT_TRUE(seen(*one, 1, 0).empty());
}

TEST(Layouts, ChangeNoMove) {
    const SchedulePtr ring = ring_allgather(4), runs = per_run(ring),
                      moved = permuted(ring, {2, 0, 3, 1});
    EXPECT_TRUE(same(*runs, *ring, 4));
    EXPECT_TRUE(same(*moved, *ring, 4));
    EXPECT_EQ(runs->traits().wire, Wire::per_run);
    EXPECT_TRUE(moved->traits().layout);
    EXPECT_EQ(moved->traits().position(2), 3);
    const Verdict v = verdict(Collective::allgather, permuted(ring, {2, 0, 2, 1}), 4);
    EXPECT_NE(v.why.find("position of block 2"), std::string::npos) << v.why;
}

TEST(Exchanges, SendNothingWhereThereIsNothing) {
    const SchedulePtr s = exchanges(
        1, Op::copy, [](int rank, int) { return rank ^ 1; },
        [](int rank, int) { return rank == 2 ? BlockSet::single(9) : BlockSet(); });
    EXPECT_TRUE(seen(*s, 0, 0).empty());
    EXPECT_EQ(seen(*s, 2, 0), (Seen{{Direction::send, Op::copy, 3, "9"}}));
    EXPECT_EQ(seen(*s, 3, 0), (Seen{{Direction::recv, Op::copy, 2, "9"}}));
}

TEST(Segments, AreTheFewestWithinAMultipleOfTheShortestTime) {
    const double alpha = 5e-7, beta = 8e-11;
    for (const std::int64_t steps : {1, 2, 6, 63, 1000})
        for (double bytes = 1; bytes < 1e11; bytes *= 3) {
            const auto seconds = [&](std::int64_t n) {
                return static_cast<double>(steps + n - 1) *
                       (alpha + beta * bytes / static_cast<double>(n));
            };
            double shortest = seconds(1);
            for (std::int64_t n = 2; n <= segments::parameter.high; n *= 2)
                shortest = std::min(shortest, seconds(n));
            for (const double within : {1., 1.1, 2.}) {
                const std::int64_t n = segments::best(steps, bytes, alpha, beta, within);
                EXPECT_TRUE(power_of_two(static_cast<int>(n))) << n;
                EXPECT_LE(seconds(n), within * shortest) << steps << ' ' << bytes;
                if (n > 1) {
                    EXPECT_GT(seconds(n / 2), within * shortest) << steps << ' ' << bytes;
                }
            }
        }
}
