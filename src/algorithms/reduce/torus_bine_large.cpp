// Bine reduce_scatter and gather on every port of a torus at once (Sec. 4.5, App. D). The time
// reversal of the large broadcast.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_torus_bine_large;

Algorithm reduce_torus_bine_large{
    .collective = Collective::reduce,
    .summary = "Bine reduce_scatter, then gather on a torus, all ports at once",
    .needs_commutative = true,
    .note =
        "as the reverse of the large broadcast it moves (p - 1) n bytes in all; odd extents: the "
        "last coordinate exchanges directly",
    .dual = &dual_of<bcast_torus_bine_large>,
};

}  // namespace hopbine::registered
