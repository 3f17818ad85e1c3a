#include "families/torus/edge_disjoint_trees.hpp"

#include <algorithm>

#include "combinators/combinators.hpp"
#include "families/torus/dimension_order.hpp"
#include "families/torus/torus_tree.hpp"

namespace hopbine::torus {

namespace {

/// Extents above 1, or the only one.
Shape long_extents(const Shape& shape) {
    Shape out;
    std::ranges::copy_if(shape, std::back_inserter(out), [](int n) { return n > 1; });
    return out.empty() ? Shape{1} : out;
}

/// The parent of rank v, which is not rank 0, in tree d.
int parent(const Coordinates& at, std::size_t d, int v) {
    const std::size_t D = at.shape().size();
    if (at.of(v, d) == 0) return at.moved(v, d, at.shape()[d] - 1);
    std::size_t e = d + D - 1;
    while (at.of(v, e % D) == 0) --e;
    return at.moved(v, e % D, at.of(v, e % D) - 1);
}

}  // namespace

int disjoint_trees(const std::vector<int>& shape) {
    return static_cast<int>(long_extents(shape).size());
}

int disjoint_trees(const Problem& q) {
    return disjoint_trees(q.shape) * (q.get(both_ways.name) ? 2 : 1);
}

int disjoint_tree_steps(const std::vector<int>& shape) {
    return steps(shape, [](int n) { return n - 1; }) + (disjoint_trees(shape) > 1);
}

Tree disjoint_tree(const std::vector<int>& shape, int d) {
    const Coordinates at(long_extents(shape));
    const int p = ranks(shape);
    std::vector<int> up(static_cast<std::size_t>(p), -1), when = up;
    for (int v = 1; v < p; ++v) {
        const auto above = [&](int rank) { return parent(at, static_cast<std::size_t>(d), rank); };
        up[static_cast<std::size_t>(v)] = above(v);
        for (int rank = v; rank != 0; rank = above(rank)) ++when[static_cast<std::size_t>(v)];
    }
    return Tree::of(disjoint_tree_steps(shape), std::move(up), std::move(when));
}

SchedulePtr disjoint_trees_bcast(const Problem& q) {
    const std::vector<int> up = seen_from(q.root, q.shape), down = seen_back(q.root, q.shape);
    const int dimensions = disjoint_trees(q.shape);
    std::vector<Ordered> trees;
    for (int i = 0; i < disjoint_trees(q); ++i)
        trees.push_back({hopbine::tree_bcast(disjoint_tree(q.shape, i % dimensions), 0),
                         i < dimensions ? up : down});
    return on_channels(std::move(trees), Collective::bcast, q.p);
}

}  // namespace hopbine::torus
