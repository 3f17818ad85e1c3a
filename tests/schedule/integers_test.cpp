// Rounding of divisions: parts of vectors, parts of ranks, members of units.
#include "schedule/integers.hpp"

#include <gtest/gtest.h>

#include <limits>

using namespace hopbine;

namespace {

TEST(Numbers, CeilDivRoundsUp) {
    for (int b = 1; b <= 20; ++b)
        for (int a = 0; a <= 100; ++a) {
            const int q = ceil_div(a, b);
            EXPECT_TRUE(q * b >= a && (q - 1) * b < a) << a << " / " << b;
        }
}

TEST(Numbers, PlacesOfRowsOfUnequalLengthBelongToEachOther) {
    for (int n = 1; n <= 24; ++n)
        for (int m = 1; m <= 24; ++m) {
            EXPECT_EQ(proportional(0, n, m), 0);
            EXPECT_EQ(proportional(n, n, m), m);
            for (int i = 0; i <= n; ++i) {
                EXPECT_EQ(proportional(i, n, m), i * m / n);
                std::int64_t first = 0;
                while (proportional(first, m, n) < i) ++first;
                EXPECT_EQ(proportional_from(i, n, m), first) << i << " of " << n << " in " << m;
                EXPECT_EQ(proportional(std::int64_t{i}, n, m), proportional(i, n, m));
                EXPECT_EQ(proportional_from(std::int64_t{i}, n, m), first);
            }
        }
}

TEST(Numbers, ProductsMayBeTooLarge) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(proportional(1000, 1000, most), most);
    EXPECT_EQ(proportional(1 << 30, 1 << 30, 1 << 30), 1 << 30);
    EXPECT_EQ(proportional(500, 1000, most), most / 2);
    EXPECT_EQ(proportional_from(500, 1000, most), most / 2 + 1);
}

TEST(Numbers, PartsOfBlocksCoverThem) {
    const auto begin = [](std::int64_t b) { return proportional(b, 7, 1000); };
    for (int parts = 1; parts <= 6; ++parts)
        for (int b = 0; b < 7; ++b) {
            EXPECT_EQ(part_begin(b * parts, parts, begin), begin(b));
            for (int i = 0; i < parts; ++i) {
                const std::int64_t size = part_begin(b * parts + i + 1, parts, begin) -
                                          part_begin(b * parts + i, parts, begin),
                                   block = begin(b + 1) - begin(b);
                EXPECT_TRUE(size == block / parts || size == ceil_div(block, parts))
                    << b << ' ' << i << " of " << parts;
            }
        }
}

}  // namespace
