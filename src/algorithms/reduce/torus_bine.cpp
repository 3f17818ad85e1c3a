// The product of the dimensions' distance-halving Bine trees, backwards: the vectors come up on
// every port of a torus at once (App. D).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_torus_bine;

Algorithm reduce_torus_bine{
    .collective = Collective::reduce,
    .summary =
        "distance-halving Bine trees of a torus' dimensions, leaves to root, all ports at once",
    .needs_commutative = true,
    .dual = &dual_of<bcast_torus_bine>,
};

}  // namespace hopbine::registered
