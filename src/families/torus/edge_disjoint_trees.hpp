/// Edge-disjoint spanning trees of a torus, one per dimension, which share a vector.
#pragma once
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::torus {

/// The parameter of algorithms on the trees.
inline constexpr Parameter both_ways{
    "both", Kind::flag,
    0,      1,
    0,      "1: two trees per dimension, which use the links in opposite directions; 0: one"};

/// Number of the trees: that of the extents above 1, but at least one.
int disjoint_trees(const std::vector<int>& shape);
/// Number of the trees of a problem, twice as many with both_ways.
int disjoint_trees(const Problem& q);
/// Steps of each of them.
int disjoint_tree_steps(const std::vector<int>& shape);

/// Tree number d from rank 0, with links between neighbours only. Where x_d is not 0, data comes
/// from coordinate 0 in steps of one along the last of dimensions d, d + 1, ... (mod D) whose
/// coordinate is not 0. Ranks with x_d = 0 are leaves: they receive over the link along dimension d
/// that closes the ring.
///
/// On each ring but those through rank 0 exactly one tree uses the path from coordinate 0, that of
/// the first dimension after the ring's with a coordinate that is not 0. The tree of the ring's own
/// dimension uses the closing link. No two trees therefore share a link, not even in opposite
/// directions, if no extent is 2. A ring of two has one link, which two trees use in opposite
/// directions.
Tree disjoint_tree(const std::vector<int>& shape, int d);

/// Broadcast from q.root of an equal part of the vector down each tree, on a channel of its own.
/// All trees go up in their dimensions; those of both_ways that are added are their mirror images,
/// which go down.
SchedulePtr disjoint_trees_bcast(const Problem& q);

}  // namespace hopbine::torus
