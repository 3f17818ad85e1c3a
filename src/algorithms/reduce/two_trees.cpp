// Pipelined reduce of half of the vector up each of two binary trees (Sec. 3). Inner ranks of one
// tree are leaves of the other, so that links are full in both directions.
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
