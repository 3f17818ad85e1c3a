/// Bine trees and butterflies (De Sensi et al., SC'25), one function per formula, named as in the
/// paper.
#pragma once
#include <cstdint>
#include <vector>

#include "combinators/combinators.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::bine {

/// Distance between partners at distance-doubling step s: 1, -1, 3, -5, 11, ... (eq. 3: the sum of
/// (-2)^j, j = 0..s).
std::int64_t rho(int s);

/// Sec. 2.3.1, p a power of two: the negabinary digits of rank r (of r - p right of the largest
/// positive value).
std::uint32_t rank2nb(int r, int p);
int nb2rank(std::uint32_t digits, int p);
/// Sec. 3.2.1, p a power of two: the label whose bit j tells a distance-doubling tree's step j.
std::uint32_t h(int r, int p);
std::uint32_t v(int r, int p);
/// Sec. 4.3.1: reverse(v(r)), the position that makes distance-doubling subtrees contiguous.
std::uint32_t nu(int r, int p);
/// nu of every rank.
std::vector<Block> permutation(int p);

/// Eq. 4: partner of r at distance-doubling step s, p even.
int pi(int r, int s, int p);

/// Distance-halving tree (Sec. 2), any p: the sign of the distance follows the depth in the tree
/// (equal to the rank's parity when p is even), and a send whose target has the data is dropped.
/// This needs no folding for any p; the paper folds odd p (App. C).
Tree halving_tree(int p);
/// Distance-doubling tree (Sec. 3.2). Odd p: a tree of p - 1 and the last rank as a leaf of the
/// root.
Tree doubling_tree(int p);

enum class Order { doubling, halving };

/// Which blocks travel when in a Bine butterfly over an even number of ranks (Sec. 3.1, App. C).
/// Ranks are alike up to rotation and mirroring, so one table of offsets serves all: in
/// reduce_scatter step t an even rank r sends blocks r + d, an odd one r - d, for the offsets d in
/// sent[t].
class Butterfly {
public:
    Butterfly(int p, Order order);
    int p() const { return p_; }
    int steps() const { return static_cast<int>(distance_.size()); }
    int partner(int r, int t) const;
    /// Owners of the blocks that r sends in step t.
    std::vector<Block> sent(int r, int t) const;
    /// The step in which r sends block b (of owner b); -1 for its own.
    int sent_at(int r, int b) const;

private:
    int p_;
    std::vector<int> distance_;
    std::vector<std::vector<int>> offsets_;
    std::vector<int> step_of_;
};

/// Steps of the reduce_scatter below, for any order: those of a butterfly over an even number of
/// ranks.
int steps(int p);
/// Reduce_scatter on a Bine butterfly. Block b ends at rank b; with `contiguous` (p a power of two,
/// doubling order) block nu(r) ends at rank r, and every message is one run. Odd p: p - 1 ranks,
/// and the last rank exchanges single blocks with each of them directly, spread over the steps as
/// their messages shrink.
SchedulePtr reduce_scatter(int p, Order order, bool contiguous);
/// The same, backwards in time.
SchedulePtr allgather(int p, Order order, bool contiguous);
/// Every rank sends the whole vector in each step (p a power of two).
SchedulePtr whole_vector_butterfly(int ranks, int blocks);
/// Scatter down the distance-doubling tree, then allgather, skipping what the receiver has from the
/// scatter: every rank but the root receives each block exactly once (Sec. 4.5). Reduce is its
/// reverse.
SchedulePtr scatter_allgather(int p, int root);
/// Alltoall along the reduce_scatter's paths, nothing merged (Sec. 4.4).
SchedulePtr alltoall(int p);

}  // namespace hopbine::bine
