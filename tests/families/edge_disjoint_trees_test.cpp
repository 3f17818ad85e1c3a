// Trees that share a torus share no link.
#include "families/torus/edge_disjoint_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "schedule/coordinates.hpp"
#include "schedule/schedule.hpp"

using namespace hopbine;

namespace {

/// Whether two ranks are neighbours on a ring of the torus.
bool neighbours(const Coordinates& at, int a, int b) {
    int hops = 0;
    for (std::size_t d = 0; d < at.shape().size(); ++d)
        hops += ring_ways(at.of(a, d), at.of(b, d), at.shape()[d]).hops();
    return hops == 1;
}

TEST(EdgeDisjointTrees, UseEveryLinkOnce) {
    for (const std::vector<int>& shape : std::vector<std::vector<int>>{
             {3, 3}, {3, 5}, {7, 4}, {3, 3, 3}, {4, 3, 5}, {3, 1, 4}, {3, 4, 3, 3}, {1, 1}, {9}}) {
        const Coordinates at(shape);
        std::set<std::pair<int, int>> used;
        for (int d = 0; d < torus::disjoint_trees(shape); ++d) {
            const Tree tree = torus::disjoint_tree(shape, d);
            for (int v = 1; v < tree.p; ++v) {
                const int up = tree.parent[static_cast<std::size_t>(v)];
                EXPECT_TRUE(neighbours(at, v, up)) << v << ' ' << up;
                EXPECT_TRUE(used.insert(std::minmax(v, up)).second)
                    << testing::PrintToString(shape) << ": link " << v << '-' << up;
            }
        }
    }
}

TEST(EdgeDisjointTrees, UseARingOfTwoOnceInEachDirection) {
    std::set<std::pair<int, int>> used;
    for (int d = 0; d < 3; ++d) {
        const Tree tree = torus::disjoint_tree({2, 3, 2}, d);
        for (int v = 1; v < tree.p; ++v)
            EXPECT_TRUE(used.emplace(tree.parent[static_cast<std::size_t>(v)], v).second);
    }
}

TEST(EdgeDisjointTrees, UseEveryDirectionOfALinkOnceBothWays) {
    for (const std::vector<int>& shape :
         std::vector<std::vector<int>>{{3, 3}, {3, 5}, {4, 3, 5}, {3, 1, 4}, {3, 4, 3, 3}, {9}}) {
        const Coordinates at(shape);
        int p = 1;
        for (int n : shape) p *= n;
        const SchedulePtr s = schedule(algorithm_named(Collective::bcast, "trinaryx"),
                                       {.collective = Collective::bcast,
                                        .p = p,
                                        .root = p / 2,
                                        .parameters = {{"both", 1}, {"segments", 1}},
                                        .shape = shape});
        std::set<std::pair<int, int>> used;
        Step moves;
        for (int rank = 0; rank < p; ++rank)
            for (int step = 0; step < s->steps(); ++step) {
                moves.clear();
                s->moves(rank, step, moves);
                for (const Move& m : moves) {
                    if (m.direction != Direction::send) continue;
                    EXPECT_TRUE(neighbours(at, rank, m.peer));
                    EXPECT_TRUE(used.emplace(rank, m.peer).second)
                        << testing::PrintToString(shape) << ": " << rank << " to " << m.peer;
                }
            }
        EXPECT_EQ(static_cast<int>(used.size()), (p - 1) * 2 * torus::disjoint_trees(shape));
    }
}

}  // namespace
