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

/// Complete k-ary tree in which siblings are far apart (Open MPI's binary tree): a rank v of level
/// l has the children v + k^l, v + 2 k^l, ..., v + k k^l. With k = 2 ranks with odd numbers are in
/// one half of the tree, those with even ones in the other.
Tree kary(int p, int k);
/// Steps of kary(p, k): the level of the last rank.
int kary_steps(int p, int k);

/// Rank 0 above n chains of consecutive ranks, the first of which are a rank longer if n does not
/// divide p - 1 (Open MPI's chain).
Tree chains(int p, int n);
/// Steps of chains(p, n): the ranks of the longest.
int chains_steps(int p, int n);

/// Preorder binary tree: the subtree of v is v and the ranks behind it, which its children share
/// evenly.
Tree preorder_tree(int p);
/// Steps of preorder_tree(p).
int preorder_tree_steps(int p);

/// Broadcast from rank 0 of half of every block down each of both trees, each on its own channel.
/// Blocks are parts of the vector.
SchedulePtr two_trees_bcast(int p);

}  // namespace hopbine
