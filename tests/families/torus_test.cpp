// Building blocks of the schedules on tori.
#include "families/torus/torus.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "families/bine/bine.hpp"
#include "families/torus/hamiltonian.hpp"
#include "families/torus/swing.hpp"

using namespace hopbine;

namespace {

/// Whether ranks a and b are neighbours in one dimension.
bool neighbours(int a, int b, const torus::Shape& shape) {
    int steps = 0;
    for (std::size_t d = shape.size(); d-- > 0; a /= shape[d], b /= shape[d]) {
        const int apart = std::abs(a % shape[d] - b % shape[d]);
        steps += std::min(apart, shape[d] - apart);
    }
    return steps == 1;
}

TEST(Torus, RingsPassEveryNodeAndShareNoLink) {
    for (int r = 1; r <= 24; ++r)
        for (int c = 1; c <= 24; ++c) {
            const torus::Shape shape = {r, c};
            const int a = std::max(r, c), b = std::min(r, c);
            const bool exist =
                b == 1 || (a % b == 0 && std::gcd(a, b - 1) == 1);  // Swing Sec. 2.3.1
            ASSERT_EQ(torus::no_rings(shape).empty(), exist) << r << 'x' << c;
            if (!exist || b < 3) continue;  // links of extents of 2 are double
            std::set<std::pair<int, int>> links;
            const auto rings = torus::rings(shape);
            ASSERT_EQ(rings.size(), 2u);
            for (const auto& ring : rings) {
                EXPECT_EQ(std::set<int>(ring.begin(), ring.end()).size(),
                          static_cast<std::size_t>(r * c));
                for (std::size_t i = 0; i < ring.size(); ++i) {
                    const int from = ring[i], to = ring[(i + 1) % ring.size()];
                    ASSERT_TRUE(neighbours(from, to, shape))
                        << r << 'x' << c << ": " << from << ' ' << to;
                    ASSERT_TRUE(links.insert(std::minmax(from, to)).second)
                        << r << 'x' << c << ": " << from << ' ' << to;
                }
            }
        }
    EXPECT_NE(torus::no_rings({16, 6}).find("no multiple"), std::string::npos);
    EXPECT_NE(torus::no_rings({6, 3}).find("it is 2"), std::string::npos);
    EXPECT_NE(torus::no_rings({4, 4, 4}).find("at most 2"), std::string::npos);
}

TEST(Torus, EveryPortBeginsItsOwnWay) {
    for (const auto ports : {torus::Ports::swing, torus::Ports::bine})
        for (int dimensions = 1; dimensions <= 4; ++dimensions)
            for (int turn = 0; turn < dimensions; ++turn) {
                std::set<std::pair<int, bool>>
                    ways;  // dimension and direction of each channel in the same step
                for (int c = 0; c < 2 * dimensions; ++c) {
                    const int d = (c + turn) % dimensions;
                    ways.insert({d, torus::plays_mirrored(ports, c, d, dimensions)});
                }
                EXPECT_EQ(ways.size(), 2u * static_cast<unsigned>(dimensions));
            }
}

TEST(Torus, MessagesOfWindowsAreSingleRuns) {
    for (const torus::Shape& shape : {torus::Shape{8}, {4, 4}, {2, 8, 4}, {1, 16}}) {
        const int p = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
        const auto w = torus::windows(shape, torus::lines_of(shape, swing::line), 0);
        ASSERT_TRUE(w.has_value());
        EXPECT_EQ(std::set<Block>(w->positions.begin(), w->positions.end()).size(),
                  static_cast<std::size_t>(p));
        for (int s = 0; s < w->schedule->steps(); ++s)
            for (int r = 0; r < p; ++r) {
                Step moves;
                w->schedule->moves(r, s, moves);
                for (const Move& m : moves) EXPECT_EQ(m.blocks.runs().size(), 1u);
            }
    }
    EXPECT_FALSE(torus::windows({6, 4}, torus::lines_of({6, 4}, swing::line), 0).has_value());
}

}  // namespace
