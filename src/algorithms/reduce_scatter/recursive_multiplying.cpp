// Time reversal of the recursive multiplying allgather, farthest partners first.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm allgather_recursive_multiplying;

Algorithm reduce_scatter_recursive_multiplying{
    .collective = Collective::reduce_scatter,
    .summary = "recursive halving of any radix",
    .needs_commutative = true,
    .dual = &dual_of<allgather_recursive_multiplying>,
};

}  // namespace hopbine::registered
