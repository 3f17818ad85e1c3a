/// Trees that pipelines run along: whoever has a segment sends it to all its children at once.
#pragma once
#include "families/tree/tree.hpp"

namespace hopbine {

/// Rank v gets from rank v - 1.
Tree chain(int p);

/// The in-order binary tree of ranks 1..p-1 below rank 0: an odd rank is a leaf (Sanders, Speck,
/// Träff 2009, Sec. 3).
Tree binary_tree(int p);
/// Another one of which rank r is a leaf where it has children in binary_tree(p): mirrored for odd
/// p, shifted by one rank for even p.
Tree other_binary_tree(int p);
/// Steps of both.
int binary_tree_steps(int p);

/// Half of every block down each of both trees, on channels of their own. With blocks of a whole
/// vector, from rank 0.
SchedulePtr two_trees_bcast(int p);

}  // namespace hopbine
