// Pipelined chains side by side, towards the root.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_chains;

Algorithm reduce_chains{
    .collective = Collective::reduce,
    .summary = "segments back along several chains of ranks",
    .needs_commutative = true,
    .dual = &dual_of<bcast_chains>,
};

}  // namespace hopbine::registered
