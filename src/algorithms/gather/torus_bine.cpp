// Product of the dimensions' distance-halving Bine trees, from the leaves to the root (App. D).
// Every port of a torus runs at once.
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
