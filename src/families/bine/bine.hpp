/// Bine trees and butterflies (De Sensi et al., SC'25), one function per formula of the paper.
#pragma once
#include <cstdint>
#include <vector>

#include "combinators/combinators.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::bine {

/// Distance between partners in distance-doubling step s: 1, -1, 3, -5, 11, ... The sum of (-2)^j,
/// j = 0..s (eq. 3).
std::int64_t rho(int s);

/// Negabinary digits of rank r, p a power of two (Sec. 2.3.1). A rank beyond the largest positive
/// value stands for r - p.
std::uint32_t rank2nb(int r, int p);
int nb2rank(std::uint32_t digits, int p);
/// Labels of rank r, p a power of two (Sec. 3.2.1). Bit j of the label determines step j of a
/// distance-doubling tree.
std::uint32_t h(int r, int p);
std::uint32_t v(int r, int p);
/// Position of rank r that makes distance-doubling subtrees contiguous: reverse(v(r)) (Sec. 4.3.1).
std::uint32_t nu(int r, int p);
/// nu of every rank.
std::vector<Block> permutation(int p);

/// Partner of r in distance-doubling step s, p even (eq. 4).
int pi(int r, int s, int p);

/// Distance-halving tree for any p (Sec. 2). The sign of the distance follows the depth in the
/// tree, which equals the parity of the rank for even p. A send whose target has the data is
/// dropped. No p needs folding; the paper folds odd p (App. C).
Tree halving_tree(int p);
/// Broadcast and scatter along the distance-halving tree.
SchedulePtr halving_bcast(int p, int root);
SchedulePtr halving_scatter(int p, int root);
/// Distance-doubling tree (Sec. 3.2). For odd p a tree of p - 1 ranks, with the last rank as a leaf
/// of the root.
Tree doubling_tree(int p);

enum class Order { doubling, halving };

/// Blocks sent in each step of a Bine butterfly on an even number of ranks (Sec. 3.1, App. C).
/// Ranks are equivalent up to rotation and mirroring, so one table of offsets serves all. In
/// reduce_scatter step t an even rank r sends blocks r + d and an odd one r - d, for all offsets d
/// of the step.
class Butterfly {
public:
    Butterfly(int p, Order order);
    int p() const { return p_; }
    int steps() const { return static_cast<int>(distance_.size()); }
    int partner(int r, int t) const;
    /// Owners of the blocks that r sends in step t.
    std::vector<Block> sent(int r, int t) const;
    /// Their number, which is the same for all ranks.
    std::int64_t blocks_sent(int t) const {
        return static_cast<std::int64_t>(offsets_[static_cast<std::size_t>(t)].size());
    }
    /// Number of runs that the blocks of r form.
    std::int64_t runs_sent(int r, int t) const;
    /// Number of contributions to the blocks that a rank sends in each step: its own, and those
    /// that it has received.
    std::vector<std::int64_t> contributions() const;
    /// The step in which r sends block b; -1 for its own block.
    int sent_at(int r, int b) const;

private:
    int p_;
    std::vector<int> distance_;
    std::vector<std::vector<int>> offsets_;
    std::vector<int> step_of_;
    std::vector<std::int64_t> circular_;  ///< runs on the circle of offsets sent in each step
};

/// Steps of the reduce_scatter below, in either order. For odd p those of p - 1 ranks.
int steps(int p);
/// Reduce_scatter on a Bine butterfly; block b ends at rank b.
/// - `contiguous` (p a power of two, doubling order): block nu(r) ends at rank r, and every message
///   is one run.
/// - Odd p: a butterfly of p - 1 ranks. The last rank exchanges single blocks directly with each of
///   them, spread over the steps as their messages shrink.
/// - `at_once`: number of steps taken at once (combinators/merged_steps.hpp).
SchedulePtr reduce_scatter(int p, Order order, bool contiguous, int at_once = 1);
/// Time reversal of reduce_scatter.
SchedulePtr allgather(int p, Order order, bool contiguous);
/// Allreduce: a distance-doubling reduce_scatter, then an allgather that undoes its block order
/// (Sec. 4.4).
SchedulePtr allreduce(int p);
/// Butterfly that sends the whole vector in every step; p is a power of two.
SchedulePtr whole_vector_butterfly(int ranks, int blocks);
/// Broadcast by a distance-doubling scatter and an allgather (Sec. 4.5). The allgather skips the
/// blocks received in the scatter, so that every rank but the root receives each block exactly
/// once.
SchedulePtr scatter_allgather(int p, int root);
/// Reduce by a distance-doubling reduce_scatter and a distance-halving gather, which undoes its
/// block order (Sec. 4.5).
SchedulePtr reduce_scatter_gather(int p, int root);
/// Blocks sent in that gather, over all ranks: one for each level between a rank and the root.
std::int64_t gathered_blocks(int p);
/// Alltoall along the paths of the reduce_scatter, without merging blocks (Sec. 4.4).
SchedulePtr alltoall(int p);
/// Its claim.
Claim alltoall_claim(int p);

}  // namespace hopbine::bine
