/// Trees on a torus: products of one tree per dimension (Bine SC'25, App. D; Swing NSDI'24, Sec. 4
/// and 6). From any root, on every port at once.
#pragma once
#include "families/torus/torus.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::torus {

/// Ranks seen from the root: virtual rank v is the rank whose coordinates are v's plus the root's.
std::vector<int> seen_from(int root, const Shape& shape);
/// Ranks seen from the root with all directions reversed: the root's coordinates less v's.
std::vector<int> seen_back(int root, const Shape& shape);

/// The tree along which the data of rank 0 spreads when dimensions take turns, from `first` on.
/// Every rank that has the data sends it as its line specifies. The tree is the product of the
/// trees of the lines (App. D.1): a rank differs from its parent in the coordinate whose turn comes
/// last.
Tree spread(const Shape& shape, const Lines& lines, int first);

/// Makes the tree of a dimension with n coordinates, rooted at coordinate 0.
using TreeOf = Tree (*)(int n);

/// The parameter "blocks".
inline constexpr Parameter scatter_by_block{
    "blocks",
    Kind::published,
    0,
    1,
    0,
    "1: the scatter has a message for every block, as the published code sends; 0: one to a rank"};

// Schedules for problems with the parameter `ports`; `kind` sets the directions of the channels.
// Reduce and gather are their time reversals.

/// Broadcast of whole vectors down the tree from q.root.
SchedulePtr tree_bcast(const Problem& q, Ports kind, TreeOf tree);
/// Scatter: block b travels down the tree from q.root to rank b.
SchedulePtr tree_scatter(const Problem& q, Ports kind, TreeOf tree);
/// Hops of all parts of all blocks in tree_scatter.
std::int64_t hops(const Problem& q, TreeOf tree);
/// Broadcast: a scatter down the tree of a reduce_scatter, whose time reversal is the allgather.
/// The allgather skips the blocks received in the scatter. `blocks`: the scatter goes block by
/// block.
SchedulePtr scatter_allgather(const Problem& q, Ports kind, const Line& reduce_scatter,
                              bool blocks = false);
/// Reduce: a reduce_scatter, then a gather up its tree, which undoes its order of blocks.
SchedulePtr reduce_scatter_gather(const Problem& q, Ports kind, const Line& reduce_scatter);
/// Its claim if the reduce_scatter takes `steps` steps.
Claim reduce_scatter_gather_claim(const Problem& q, int steps, Ports kind,
                                  const Line& reduce_scatter);

}  // namespace hopbine::torus
