// Trinaryx: a third of the vector up each of three edge-disjoint trees of a 3D torus, in segments.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_trinaryx;

Algorithm reduce_trinaryx{
    .collective = Collective::reduce,
    .summary = "segments up edge-disjoint trees of a torus, one per dimension",
    .needs_commutative = true,
    .dual = &dual_of<bcast_trinaryx>,
};

}  // namespace hopbine::registered
