// Pipelined distance-halving Bine tree (Sec. 2.3; segments as in Sec. 5.2), leaves to root.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_bine_pipelined;

Algorithm reduce_bine_pipelined{
    .collective = Collective::reduce,
    .summary = "segments up a distance-halving Bine tree",
    .needs_commutative = true,
    .dual = &dual_of<bcast_bine_pipelined>,
};

}  // namespace hopbine::registered
