// Pipelined k-nomial tree, from the leaves to the root.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_knomial_pipelined;

Algorithm reduce_knomial_pipelined{
    .collective = Collective::reduce,
    .summary = "segments up a k-nomial tree",
    .needs_commutative = true,
    .dual = &dual_of<bcast_knomial_pipelined>,
};

}  // namespace hopbine::registered
