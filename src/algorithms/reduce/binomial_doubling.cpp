// Distance-doubling binomial tree, from the leaves to the root.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_binomial_doubling;

Algorithm reduce_binomial_doubling{
    .collective = Collective::reduce,
    .summary = "distance-doubling binomial tree, leaves to root",
    .needs_commutative = true,
    .dual = &dual_of<bcast_binomial_doubling>,
};

}  // namespace hopbine::registered
