#include "families/exchange/direct_alltoall.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "schedule/algorithm.hpp"

namespace hopbine {
namespace {

/// Groups of the given sizes, their ranks dealt out in turns where `mixed`.
Placement groups_of(const std::vector<int>& sizes, bool mixed) {
    std::vector<int> group;
    const int most = *std::ranges::max_element(sizes);
    if (mixed)
        for (int i = 0; i < most; ++i)
            for (std::size_t g = 0; g < sizes.size(); ++g)
                if (i < sizes[g]) group.push_back(static_cast<int>(g));
    if (!mixed)
        for (std::size_t g = 0; g < sizes.size(); ++g)
            group.insert(group.end(), static_cast<std::size_t>(sizes[g]), static_cast<int>(g));
    return one_rank_per_node(std::move(group));
}

/// Messages between each two groups in the busiest exchange, with one message at a time.
std::map<std::pair<int, int>, int> busiest(const Placement& place, int p) {
    Problem q{Collective::alltoall, p, 0, {{"batch", 1}}};
    q.placement = std::make_shared<const Placement>(place);
    const SchedulePtr s = schedule(algorithm_named(Collective::alltoall, "balanced"), q);
    std::map<std::pair<int, int>, int> most;
    for (int step = 0; step < s->steps(); ++step) {
        std::map<std::pair<int, int>, int> now;
        Step moves;
        for (int r = 0; r < p; ++r) {
            moves.clear();
            s->moves(r, step, moves);
            int sent = 0;
            for (const Move& m : moves)
                if (m.direction == Direction::send) {
                    ++sent;
                    ++now[{place.group[static_cast<std::size_t>(r)],
                           place.group[static_cast<std::size_t>(m.peer)]}];
                }
            EXPECT_LE(sent, 1);
        }
        for (const auto& [pair, n] : now) most[pair] = std::max(most[pair], n);
    }
    return most;
}

TEST(DirectAlltoall, balanced_loads_all_pairs_of_groups_in_proportion) {
    const std::vector<std::vector<int>> cases = {{5, 6, 5},       {4, 4, 4, 4}, {7, 7, 7, 7, 4},
                                                 {8, 8, 8},       {1, 9},       {3, 1, 2, 12},
                                                 {32, 32, 32, 32}};
    for (const auto& sizes : cases)
        for (const bool mixed : {false, true}) {
            const Placement place = groups_of(sizes, mixed);
            const int p = static_cast<int>(place.group.size());
            for (const auto& [pair, n] : busiest(place, p)) {
                const int a = sizes[static_cast<std::size_t>(pair.first)],
                          b = sizes[static_cast<std::size_t>(pair.second)];
                // a b / p would be the same in every exchange. The members of a group are spread
                // over p places to within one place of even distances.
                EXPECT_LE(n, a * b / p + 2) << a << " to " << b << " of " << p;
            }
        }
}

TEST(DirectAlltoall, a_batch_bounds_the_messages_in_flight) {
    const Placement place = groups_of({5, 6, 5}, false);
    for (const char* name : {"balanced", "scattered"})
        for (const int batch : {1, 3, 8, 64}) {
            Problem q{Collective::alltoall, 16, 0, {{"batch", batch}}};
            q.placement = std::make_shared<const Placement>(place);
            const SchedulePtr s = schedule(algorithm_named(Collective::alltoall, name), q);
            Step moves;
            for (int step = 0; step < s->steps(); ++step)
                for (int r = 0; r < 16; ++r) {
                    moves.clear();
                    s->moves(r, step, moves);
                    EXPECT_LE(std::ranges::count(moves, Direction::send, &Move::direction), batch);
                }
        }
}

/// Moves of a rank in a step of an alltoallv.
Step moves_of(const Schedule& s, int rank, int step) {
    Step out;
    s.moves(rank, step, out);
    return out;
}

TEST(Linear, BlockingHasOneMessageOfASenderInFlight) {
    const Algorithm& a = algorithm_named(Collective::alltoallv, "linear");
    for (int p = 2; p <= 12; ++p) {
        const SchedulePtr s = schedule(a, {a.collective, p, 0, {{"blocking", 1}}});
        ASSERT_EQ(s->steps(), p);
        for (int step = 0; step < p; ++step)
            for (int rank = 0; rank < p; ++rank) {
                const Step moves = moves_of(*s, rank, step);
                EXPECT_EQ(moves.size(), rank == step ? p - 1u : 1u);
                for (const Move& m : moves) {
                    EXPECT_EQ(m.direction, rank == step ? Direction::recv : Direction::send);
                    if (rank != step) {
                        EXPECT_EQ(m.peer, step);
                    }
                }
            }
    }
}

TEST(ParLinNa, ExplicitSendsStraightToOtherNodes) {  // HPDC'25, Fig. 3a
    const Algorithm& a = algorithm_named(Collective::alltoallv, "parlinna");
    for (const std::vector<int>& sizes : {std::vector<int>{4, 4, 4}, {3, 5, 1}, {6}, {1, 1, 1}}) {
        Placement place = groups_of(sizes, false);
        place.node = place.group;
        const int p = static_cast<int>(place.node.size());
        Problem q{a.collective, p, 0, {{"r", 2}, {"explicit", 1}, {"batch", 2}}};
        q.placement = std::make_shared<const Placement>(place);
        const SchedulePtr s = schedule(a, q);
        const auto node = [&](std::int64_t rank) {
            return place.node[static_cast<std::size_t>(rank)];
        };
        for (int step = 0; step < s->steps(); ++step)
            for (int rank = 0; rank < p; ++rank) {
                int across = 0;
                for (const Move& m : moves_of(*s, rank, step)) {
                    if (m.direction == Direction::recv) continue;
                    across += node(m.peer) != node(rank);
                    m.blocks.each([&](Block b) {
                        if (node(m.peer) == node(rank)) {
                            EXPECT_EQ(node(b / p), node(b % p));
                        } else {
                            EXPECT_EQ(b, Block{rank} * p + m.peer);
                        }
                    });
                }
                EXPECT_LE(across, 2);
            }
    }
}

}  // namespace
}  // namespace hopbine
