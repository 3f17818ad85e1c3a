// Examples of the Bine paper.
#include "families/bine/bine.hpp"

#include <gtest/gtest.h>

#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

using namespace hopbine;
using namespace hopbine::bine;

TEST(Negabinary, PapersExamples) {
    EXPECT_EQ(rank2nb(2, 8), 0b110u);  // Sec. 2.3.1
    EXPECT_EQ(rank2nb(6, 8), 0b010u);
    EXPECT_EQ(rank2nb(8, 16), 0b1000u);  // Fig. 4
    EXPECT_EQ(v(2, 8), 0b011u);          // Sec. 3.2.2
    EXPECT_EQ(v(5, 8), 0b111u);
}

TEST(Negabinary, ConversionsAreInverse) {
    for (int p = 1; p <= 1 << 14; p *= 2)
        for (int r = 0; r < p; ++r) ASSERT_EQ(nb2rank(rank2nb(r, p), p), r) << "p = " << p;
}

TEST(Negabinary, NuIsAPermutation) {
    for (int p = 1; p <= 4096; p *= 2)
        EXPECT_EQ(BlockSet::of(permutation(p)), BlockSet::range(0, p));
    EXPECT_EQ(nu(1, 8), 4u);  // Sec. 4.3.1
}

TEST(HalvingTree,
     IsThePapers) {  // Fig. 4: 0 -> 11, then 0 -> 3 and 11 -> 8, then 0 -> 15, 3 -> 4, 8 -> 7
    const Tree t = halving_tree(16);
    const auto edge = [&](int child) { return std::pair(t.parent[child], t.when[child]); };
    EXPECT_EQ(edge(11), std::pair(0, 0));
    EXPECT_EQ(edge(3), std::pair(0, 1));
    EXPECT_EQ(edge(8), std::pair(11, 1));
    EXPECT_EQ(edge(15), std::pair(0, 2));
    EXPECT_EQ(edge(4), std::pair(3, 2));
    EXPECT_EQ(edge(7), std::pair(8, 2));
}

TEST(HalvingTree,
     FollowsEquation1) {  // receives at step s - u; partner differs in the s - i lowest digits
    for (int p = 2; p <= 1024; p *= 2) {
        const int s = ceil_log2(p);
        const Tree t = halving_tree(p);
        for (int r = 1; r < p; ++r) {
            const std::uint32_t digits = rank2nb(r, p);
            int u = 1;
            while (u < s && (digits >> u & 1) == (digits & 1)) ++u;
            ASSERT_EQ(t.when[r], s - u);
            ASSERT_EQ(t.parent[r], nb2rank(digits ^ ((1u << u) - 1), p));
        }
    }
}

TEST(HalvingTree, CoversEveryPWithoutFolding) {
    for (int p = 1; p <= 2099; ++p) ASSERT_NO_THROW(halving_tree(p)) << p;
}

TEST(DoublingTree, FollowsTheLabels) {  // Sec. 3.2.2: received at the highest set bit of v, from
                                        // the rank without it
    for (int p = 2; p <= 1024; p *= 2) {
        const Tree t = doubling_tree(p);
        for (int r = 1; r < p; ++r) {
            const int i = floor_log2(static_cast<int>(v(r, p)));
            ASSERT_EQ(t.when[r], i);
            ASSERT_EQ(v(t.parent[r], p), v(r, p) ^ (1u << i));
        }
    }
}

TEST(ReduceScatter, SendsTheBlocksOfFigure8) {  // p = 8, step 0: rank 0 sends blocks 1, 2, 5, 6
    Step moves;
    schedule(algorithm_named(Collective::reduce_scatter, "bine_block_by_block"),
             {Collective::reduce_scatter, 8, 0, {}})
        ->moves(0, 0, moves);
    EXPECT_EQ(moves[0].blocks.text(), "1-2;5-6");
    EXPECT_EQ(moves[0].peer, 1);
}

TEST(ReduceScatter, TwoTransmissionsAreTwoRunsAtMost) {
    for (int p = 2; p <= 256; p *= 2) {
        const auto s =
            schedule(algorithm_named(Collective::reduce_scatter, "bine_two_transmissions"),
                     {Collective::reduce_scatter, p, 0, {}});
        for (int t = 0; t < s->steps(); ++t)
            for (int r = 0; r < p; ++r) {
                Step moves;
                s->moves(r, t, moves);
                for (const Move& m : moves) ASSERT_LE(m.blocks.runs().size(), 2u);
            }
    }
}

TEST(Allreduce, LargeMovesOneRunPerMessage) {
    for (int p = 2; p <= 256; p *= 2) {
        const auto s = schedule(algorithm_named(Collective::allreduce, "bine_large"),
                                {Collective::allreduce, p, 0, {}});
        for (int t = 0; t < s->steps(); ++t) {
            Step moves;
            s->moves(p / 2, t, moves);
            for (const Move& m : moves) ASSERT_EQ(m.blocks.runs().size(), 1u);
        }
    }
}

TEST(Gather, SubtreesAreContiguousOnTheCircle) {
    for (int p = 2; p <= 256; p *= 2) {
        const Tree t = halving_tree(p);
        for (int r = 0; r < p; ++r) ASSERT_LE(BlockSet::of(t.subtree(r)).runs().size(), 2u);
    }
}

namespace {

/// Vectors that are added one after the other: in each step those of the rank that adds most.
double added_in_turn(const char* reduce, int p, std::vector<int> shape = {}) {
    const Collective c = Collective::reduce;
    const SchedulePtr s = schedule(algorithm_named(c, reduce), {c, p, 0, {}, nullptr, shape});
    Block all = 0;
    for (int t = 0; t < s->steps(); ++t) {
        Block most = 0;
        for (int r = 0; r < p; ++r) {
            Step moves;
            s->moves(r, t, moves);
            Block here = 0;
            for (const Move& m : moves)
                here += m.direction == Direction::recv && m.op == Op::reduce ? m.blocks.size() : 0;
            most = std::max(most, here);
        }
        all += most;
    }
    return static_cast<double>(all) / (p * s->traits().parts);
}

}  // namespace

TEST(Reduce, LargeAddsAVectorAndReversedTwo) {
    for (int p = 4; p <= 256; p *= 2) {
        const double vector = (p - 1.0) / p;
        EXPECT_EQ(added_in_turn("bine_large", p), vector);
        EXPECT_EQ(added_in_turn("bine_large", p), added_in_turn("rabenseifner", p));
        EXPECT_EQ(added_in_turn("bine_reversed", p), 2 * vector);
    }
    EXPECT_EQ(added_in_turn("torus_bine_large", 16, {4, 4}), 15.0 / 16);
    EXPECT_EQ(added_in_turn("torus_bine_reversed", 16, {4, 4}), 30.0 / 16);
    EXPECT_EQ(added_in_turn("swing_large", 64, {4, 4, 4}), 63.0 / 64);
}

TEST(Reduce, LargeSendsSingleRunsAndGathersUpTheTree) {
    for (int p = 2; p <= 64; p *= 2) {
        const Collective c = Collective::reduce;
        const SchedulePtr s = schedule(algorithm_named(c, "bine_large"), {c, p, p / 3, {}});
        for (int t = 0; t < s->steps(); ++t)
            for (int r = 0; r < p; ++r) {
                Step moves;
                s->moves(r, t, moves);
                for (const Move& m : moves) {
                    EXPECT_EQ(m.blocks.runs().size(), 1u);
                    EXPECT_EQ(m.op, t < steps(p) ? Op::reduce : Op::copy);
                }
            }
    }
}
