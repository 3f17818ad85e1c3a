// Bine reduce_scatter and gather (Sec. 4.5), the time reversal of the large broadcast.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_bine_large;

Algorithm reduce_bine_large{
    .collective = Collective::reduce,
    .summary = "Bine reduce_scatter, then gather",
    .needs_commutative = true,
    .note =
        "as the reverse of the large broadcast it moves (p - 1) n bytes in all; odd p: p - 1 "
        "ranks, the last one served directly",
    .dual = &dual_of<bcast_bine_large>,
};

}  // namespace hopbine::registered
