// Distance-doubling trees whose dimensions take turns, backwards, on every port of a torus at once:
// Swing in place of recursive doubling (Sec. 4, 6).
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
