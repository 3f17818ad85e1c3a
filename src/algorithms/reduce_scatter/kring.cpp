// Time reversal of the k-ring allgather.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm allgather_kring;

Algorithm reduce_scatter_kring{
    .collective = Collective::reduce_scatter,
    .needs_commutative = true,
    .dual = &dual_of<allgather_kring>,
};

}  // namespace hopbine::registered
