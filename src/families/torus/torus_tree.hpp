/// Trees on a torus: the product of the dimensions' trees, from any root, on every port at once
/// (Bine SC'25, App. D; Swing NSDI'24, Sec. 4 and 6).
#pragma once
#include "families/torus/torus.hpp"
#include "families/tree/tree.hpp"
#include "schedule/problem.hpp"

namespace hopbine::torus {

/// The tree along which the data of rank 0 spreads when dimensions take turns and everyone who has
/// it sends to whom its line says: the product of what happens on the lines (App. D.1), where a
/// rank's parent differs from it in the coordinate whose turn comes last. `first` begins.
Tree spread(const Shape& shape, const Lines& lines, int first);

/// The tree of a dimension with n coordinates, from coordinate 0.
using TreeOf = Tree (*)(int n);

// For problems with the parameter `ports`; `kind` is how channels share them. Reduce and gather are
// the same backwards in time.

/// Whole vectors down the tree from q.root.
SchedulePtr tree_bcast(const Problem& q, Ports kind, TreeOf tree);
/// Block b down the tree from q.root to rank b.
SchedulePtr tree_scatter(const Problem& q, Ports kind, TreeOf tree);
/// Messages that the parts of blocks travel in, summed over all parts, for a tree_scatter.
std::int64_t hops(const Problem& q, TreeOf tree);
/// Broadcast: parts of the vector down the tree of a reduce_scatter, then that backwards in time as
/// allgather, without what the receiver has from the scatter.
SchedulePtr scatter_allgather(const Problem& q, Ports kind, const Line& reduce_scatter);

}  // namespace hopbine::torus
