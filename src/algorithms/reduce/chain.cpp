// Pipelined chain towards the root: every rank reduces a segment and forwards it.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_chain;

Algorithm reduce_chain{
    .collective = Collective::reduce,
    .summary = "segments back along a chain of ranks",
    .needs_commutative = true,
    .dual = &dual_of<bcast_chain>,
};

}  // namespace hopbine::registered
