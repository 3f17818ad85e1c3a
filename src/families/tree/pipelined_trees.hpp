/// Trees for pipelines: a rank that has a segment sends it to all its children at once.
#pragma once
#include "families/tree/tree.hpp"

namespace hopbine {

/// Chain: rank v receives from rank v - 1.
Tree chain(int p);

/// In-order binary tree of ranks 1..p-1 below rank 0 (Sanders, Speck, Träff 2009, Sec. 3). Odd
/// ranks are leaves.
Tree binary_tree(int p);
/// Second binary tree, in which the inner ranks of binary_tree(p) are leaves. Mirrored for odd p,
/// shifted by one rank for even p.
Tree other_binary_tree(int p);
/// Steps of either binary tree.
int binary_tree_steps(int p);

/// Broadcast from rank 0 of half of every block down each of both trees, each on its own channel.
/// Blocks are parts of the vector.
SchedulePtr two_trees_bcast(int p);

}  // namespace hopbine
