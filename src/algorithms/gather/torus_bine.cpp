// The product of the dimensions' distance-halving Bine trees, backwards, on every port of a torus
// at once (App. D).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm scatter_torus_bine;

Algorithm gather_torus_bine{
    .collective = Collective::gather,
    .summary =
        "distance-halving Bine trees of a torus' dimensions, leaves to root, all ports at once",
    .dual = &dual_of<scatter_torus_bine>,
};

}  // namespace hopbine::registered
