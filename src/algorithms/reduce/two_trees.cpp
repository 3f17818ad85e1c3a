// Up two binary trees at once, half of the vector on each: inner ranks of one are leaves of
// the other, so that links are full both ways (Sec. 3).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_two_trees;

Algorithm reduce_two_trees{
    .collective = Collective::reduce,
    .summary = "segments up two edge-disjoint binary trees",
    .needs_commutative = true,
    .dual = &dual_of<bcast_two_trees>,
};

}  // namespace hopbine::registered
