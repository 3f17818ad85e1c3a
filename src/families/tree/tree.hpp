/// Spanning trees over virtual ranks 0..p-1 with root 0, and the schedules along them.
#pragma once
#include <functional>
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine {

/// Parent, receive step and children of every rank. Built once per problem, O(p).
struct Tree {
    int p = 1, steps = 0;
    std::vector<int> parent;  ///< -1 for the root
    std::vector<int> when;    ///< step in which v receives; -1 for the root
    std::vector<int> depth;
    std::vector<int> first_child,
        children;  ///< children of v: children[first_child[v] .. first_child[v+1]), by step
    std::vector<int> order, first,
        last;  ///< preorder; the subtree of v is order[first[v] .. last[v])

    /// Grows a tree: in each step every rank that has the data sends it to target(v, depth, step).
    /// No send where the target is -1 or has the data already. Throws if a rank is never reached.
    static Tree grow(int p, int steps,
                     const std::function<int(int v, int depth, int step)>& target);
    /// The tree of given parents, -1 for the root, rank 0. Rank v receives in step when[v], after
    /// its parent. Throws if another rank has no parent.
    static Tree of(int steps, std::vector<int> parent, std::vector<int> when);
    /// Adds one rank, a leaf to which the root sends in the last step.
    static Tree with_leaf(Tree t);
    /// The virtual ranks of the subtree of v, v included.
    std::vector<Block> subtree(int v) const;
};

/// Sends data from rank 0 down the tree. The message to a child carries the blocks
/// `carried(child)`.
SchedulePtr tree_walk(std::shared_ptr<const Tree> tree, std::function<BlockSet(int child)> carried);
/// Broadcast of the whole vector (blocks 0..p-1) from the root down the tree.
SchedulePtr tree_bcast(Tree tree, int root);
/// Scatter: block b travels from the root to rank b. A message carries the blocks of the child's
/// subtree.
SchedulePtr tree_scatter(Tree tree, int root);
// Reduce and gather are reversed(tree_bcast, ...) and reversed(tree_scatter, ...).

/// k-nomial tree, largest distance first, any p (generalised collectives, Sec. III-C). In each of
/// ceil(log_k p) levels every rank that has the data sends it to k - 1 others at once. The parent
/// of v is v with its lowest nonzero base-k digit cleared.
Tree knomial(int p, int k);
/// Levels of a k-nomial tree: ceil(log_k p).
int ceil_log(int k, int p);
/// Binomial trees (MPICH's distance-halving, Open MPI's distance-doubling), any p.
Tree binomial_halving(int p);
Tree binomial_doubling(int p);

}  // namespace hopbine
