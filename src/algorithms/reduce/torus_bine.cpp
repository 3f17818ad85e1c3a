// Product of the dimensions' distance-halving Bine trees, from the leaves to the root (App. D).
// Whole vectors, on every port of a torus at once.
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
