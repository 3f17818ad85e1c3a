// Building blocks of the schedules on tori.
#include "families/torus/torus.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "families/bine/bine.hpp"
#include "families/torus/hamiltonian.hpp"
#include "families/torus/swing.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

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

/// Messages that all ranks send, and the most blocks that one rank sends or receives in all.
struct Sent {
    std::int64_t messages = 0;
    Block most = 0;
};
Sent sent(const Schedule& s, int p) {
    Sent out;
    for (int r = 0; r < p; ++r) {
        Block away = 0, in = 0;
        for (int t = 0; t < s.steps(); ++t) {
            Step moves;
            s.moves(r, t, moves);
            for (const Move& m : moves) {
                (m.direction == Direction::send ? away : in) += m.blocks.size();
                if (m.direction == Direction::send) out.messages += messages_of(m, s.traits().wire);
            }
        }
        out.most = std::max({out.most, away, in});
    }
    return out;
}

TEST(Swing, RunByRunTakesMoreMessagesForTheSameBytes) {
    for (const auto c : {Collective::allreduce, Collective::reduce_scatter, Collective::allgather})
        for (const torus::Shape& shape : {torus::Shape{16}, {8, 8}}) {
            const int p = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
            const auto made = [&](std::int64_t runs) {
                const Algorithm& a = algorithm_named(c, "swing");
                return schedule(a, {c, p, 0, {{"ports", 0}, {"runs", runs}}, nullptr, shape});
            };
            const Sent joined = sent(*made(0), p), apart = sent(*made(1), p);
            EXPECT_EQ(joined.messages, (c == Collective::allreduce ? 2 : 1) * p * floor_log2(p));
            EXPECT_GT(apart.messages, joined.messages);
            EXPECT_EQ(apart.most, joined.most);
        }
    // In the first step of a line of 16 rank 0 sends the blocks of 1, 2, 5, 6, 9, 10, 13 and 14: to
    // eight ranks in four runs (Swing, Sec. 3.1.1).
    const Collective c = Collective::reduce_scatter;
    const SchedulePtr s =
        schedule(algorithm_named(c, "swing"), {c, 16, 0, {{"ports", 0}, {"runs", 1}}});
    Step moves;
    s->moves(0, 0, moves);
    EXPECT_EQ(messages_of(moves.front(), s->traits().wire), 4);
}

TEST(TorusDoubling, ServesExtentsThatAreNoPowersOfTwo) {
    const Algorithm& a = algorithm_named(Collective::allreduce, "torus_doubling");
    const auto made = [&](const torus::Shape& shape, std::int64_t eliminate) {
        const int p = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
        return schedule(a, {a.collective, p, 0, {{"eliminate", eliminate}}, nullptr, shape});
    };
    // Two steps more where extents are reduced first, none with 3-2 elimination.
    EXPECT_EQ(made({6, 4}, 0)->steps(), made({4, 4}, 0)->steps() + 2);
    EXPECT_EQ(made({6, 6}, 0)->steps(), made({4, 4}, 0)->steps() + 4);
    EXPECT_EQ(made({6, 4}, 1)->steps(), made({4, 4}, 1)->steps());
    EXPECT_EQ(made({7, 13}, 1)->steps(), made({4, 8}, 1)->steps());
    // One of three ranks that exchange sends its whole window: 3/2 of the bytes (Swing, 2.3.3).
    const double reduced = static_cast<double>(sent(*made({48}, 0), 48).most) / 48,
                 eliminated = static_cast<double>(sent(*made({48}, 1), 48).most) / 48;
    EXPECT_LE(eliminated, 2.0);
    EXPECT_LT(eliminated, reduced);
}

}  // namespace
