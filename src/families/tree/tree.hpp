/// Spanning trees over virtual ranks 0..p-1 with root 0, and the schedules that walk them.
#pragma once
#include <functional>
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine {

/// Who receives from whom, and when. Built once per problem, O(p).
struct Tree {
    int p = 1, steps = 0;
    std::vector<int> parent;  ///< -1 for the root
    std::vector<int> when;    ///< step in which v receives; -1 for the root
    std::vector<int> depth;
    std::vector<int> first_child,
        children;  ///< children of v: children[first_child[v] .. first_child[v+1]), by step
    std::vector<int> order, first,
        last;  ///< preorder; the subtree of v is order[first[v] .. last[v])

    /// Grows a tree: in each step every rank that has the data offers it to target(v, depth, step);
    /// -1, or a target that has it already, means no send. Throws when a rank is never reached.
    static Tree grow(int p, int steps,
                     const std::function<int(int v, int depth, int step)>& target);
    /// The tree of given parents, v served in step when[v] and after its parent; -1 for the root,
    /// rank 0. Throws when another rank has no parent.
    static Tree of(int steps, std::vector<int> parent, std::vector<int> when);
    /// The same tree with one more rank, a leaf that the root serves in the last step.
    static Tree with_leaf(Tree t);
    /// The virtual ranks below v, v included.
    std::vector<Block> subtree(int v) const;
};

/// Data flows from rank 0 along the tree; the message to a child carries the blocks
/// `carried(child)`.
SchedulePtr tree_walk(std::shared_ptr<const Tree> tree, std::function<BlockSet(int child)> carried);
/// Data flows from the root along the tree, the whole vector (blocks 0..p-1) in every message.
SchedulePtr tree_bcast(Tree tree, int root);
/// Block b travels from the root to rank b; every message carries the blocks of the child's
/// subtree.
SchedulePtr tree_scatter(Tree tree, int root);
// Reduce and gather are reversed(tree_bcast, ...) and reversed(tree_scatter, ...).

/// k-nomial tree, largest distance first, any p: in each of ceil(log_k p) levels whoever has the
/// data sends to k - 1 others at once (generalised collectives, Sec. III-C). The parent of v is v
/// with its lowest base-k digit that is not 0 cleared.
Tree knomial(int p, int k);
/// Levels of a k-nomial tree.
int ceil_log(int k, int p);
/// Binomial trees (MPICH's distance-halving, Open MPI's distance-doubling), any p.
Tree binomial_halving(int p);
Tree binomial_doubling(int p);

}  // namespace hopbine
