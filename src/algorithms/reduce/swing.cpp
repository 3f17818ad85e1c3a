// Distance-doubling trees with Swing in place of recursive doubling (Sec. 4, 6), reversed in time.
// Dimensions take turns, on every port of a torus at once.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_swing;

Algorithm reduce_swing{
    .collective = Collective::reduce,
    .summary = "Swing trees of a torus' dimensions, leaves to root, all ports at once",
    .needs_commutative = true,
    .dual = &dual_of<bcast_swing>,
};

}  // namespace hopbine::registered
