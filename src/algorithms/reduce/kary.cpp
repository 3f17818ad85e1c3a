// Pipelined complete k-ary tree, from the leaves to the root.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_kary;

Algorithm reduce_kary{
    .collective = Collective::reduce,
    .summary = "segments up a complete k-ary tree",
    .needs_commutative = true,
    .dual = &dual_of<bcast_kary>,
};

}  // namespace hopbine::registered
