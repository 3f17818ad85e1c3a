// Trees that share a torus share no link.
#include "families/torus/edge_disjoint_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "schedule/coordinates.hpp"

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

}  // namespace
