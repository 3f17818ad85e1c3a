// Algorithms of any radix. The smallest radix gives the well-known algorithm, move for move; others
// match the figures of the paper.
#include <gtest/gtest.h>

#include <algorithm>

#include "families/exchange/recursive_multiplying.hpp"
#include "families/seen.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

using namespace hopbine;

namespace {

Seen in_any_order(Seen moves) {
    std::sort(moves.begin(), moves.end());
    return moves;
}

void expect_same(Collective c, const char* general, const Parameters& parameters, const char* known,
                 int p, int root = 0) {
    const SchedulePtr a = schedule(algorithm_named(c, general), {c, p, root, parameters}),
                      b = schedule(algorithm_named(c, known), {c, p, root, {}});
    ASSERT_EQ(a->steps(), b->steps()) << name(c) << ' ' << general << " p=" << p;
    for (int s = 0; s < a->steps(); ++s)
        for (int r = 0; r < p; ++r)
            ASSERT_EQ(in_any_order(seen(*a, r, s)), in_any_order(seen(*b, r, s)))
                << name(c) << ' ' << general << " p=" << p << " rank " << r << " step " << s;
}

TEST(Radix, RecursiveMultiplyingByTwoIsRecursiveDoubling) {
    for (int p = 1; p <= 128; p *= 2) {
        expect_same(Collective::allgather, "recursive_multiplying", {{"k", 2}},
                    "recursive_doubling", p);
        expect_same(Collective::allreduce, "recursive_multiplying", {{"k", 2}},
                    "recursive_doubling", p);
        expect_same(Collective::reduce_scatter, "recursive_multiplying", {{"k", 2}},
                    "recursive_halving", p);
        for (int root = 0; root < p; root += 3)
            expect_same(Collective::bcast, "recursive_multiplying", {{"k", 2}}, "scatter_allgather",
                        p, root);
    }
}

TEST(Radix, LargeRecursiveMultiplyingByTwoIsRabenseifners) {
    for (int p = 1; p <= 64; p *= 2)
        expect_same(Collective::allreduce, "recursive_multiplying_large", {{"k", 2}},
                    "rabenseifner", p);
}

TEST(Radix, KNomialOfTwoIsBinomial) {
    for (int p = 1; p <= 40; ++p)
        for (int root = 0; root < p; root += 7)
            for (Collective c :
                 {Collective::bcast, Collective::reduce, Collective::gather, Collective::scatter})
                expect_same(c, "knomial", {{"k", 2}}, "binomial_halving", p, root);
}

TEST(Radix, KRingOfOneIsTheRing) {
    for (int p = 1; p <= 40; ++p) {
        expect_same(Collective::allgather, "kring", {{"k", 1}}, "ring", p);
        expect_same(Collective::allreduce, "kring", {{"k", 1}}, "ring", p);
        expect_same(Collective::reduce_scatter, "kring", {{"k", 1}}, "ring", p);
        for (int root = 0; root < p; root += 7)
            expect_same(Collective::bcast, "kring", {{"k", 1}}, "scatter_ring", p, root);
    }
}

TEST(Radix, OneRingOfAllIsTheRing) {
    for (int p = 1; p <= 40; ++p)
        expect_same(Collective::allgather, "kring", {{"k", p}}, "ring", p);
}

/// Allgather of nine ranks with radix 3 (Fig. 4). Rank 4 exchanges with 3 and 5, then with 1 and 7.
TEST(Radix, RecursiveMultiplyingOfTheFigure) {
    const SchedulePtr s = multiplying_allgather({9, 3});
    EXPECT_EQ(s->steps(), 2);
    EXPECT_EQ(seen(*s, 4, 0), (Seen{{Direction::send, Op::copy, 3, "4"},
                                    {Direction::send, Op::copy, 5, "4"},
                                    {Direction::recv, Op::copy, 3, "3"},
                                    {Direction::recv, Op::copy, 5, "5"}}));
    EXPECT_EQ(seen(*s, 4, 1), (Seen{{Direction::send, Op::copy, 1, "3-5"},
                                    {Direction::send, Op::copy, 7, "3-5"},
                                    {Direction::recv, Op::copy, 1, "0-2"},
                                    {Direction::recv, Op::copy, 7, "6-8"}}));
}

/// Twelve ranks as 3 x 4 and as 4 x 3: two steps each, with different partners.
TEST(Radix, FactorsMayBeMixed) {
    for (const auto& [k, far] : {std::pair(4, 3), std::pair(3, 4)}) {
        const SchedulePtr s = multiplying_allgather({12, k, far});
        ASSERT_EQ(s->steps(), 2);
        EXPECT_EQ(seen(*s, 5, 0).size(), static_cast<std::size_t>(2 * (k - 1)));
        EXPECT_EQ(seen(*s, 5, 1).size(), static_cast<std::size_t>(2 * (far - 1)));
    }
}

/// All parts are equal if p has factors of at most k: 36 is 6 x 6 for k = 8.
TEST(Radix, FactorsOfThePAreFound) {
    for (const auto& [p, k, partners] :
         {std::tuple(36, 8, 5), std::tuple(30, 6, 0), std::tuple(24, 4, 0), std::tuple(100, 12, 9)})
        for (int rank = 0; rank < p; ++rank) {
            const SchedulePtr s = multiplying_allgather({p, k});
            std::size_t all = 1;
            for (int step = 0; step < s->steps(); ++step) {
                const std::size_t others = seen(*s, rank, step).size() / 2;
                if (partners) {
                    EXPECT_EQ(others, static_cast<std::size_t>(partners)) << p << ' ' << rank;
                }
                all *= others + 1;
            }
            EXPECT_EQ(all, static_cast<std::size_t>(p));
        }
}

/// The fewest steps that k - 1 partners per step permit, for every p; folding would take two more.
TEST(Radix, RecursiveMultiplyingTakesNoExtraStep) {
    for (int k = 2; k <= 9; ++k)
        for (int p = 1; p <= 200; ++p)
            EXPECT_EQ(multiplying_allgather({p, k})->steps(), ceil_log(k, p))
                << "k=" << k << " p=" << p;
}

}  // namespace
