// Distance-halving binomial tree, from the leaves to the root.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_binomial_halving;

Algorithm reduce_binomial_halving{
    .collective = Collective::reduce,
    .summary = "distance-halving binomial tree, leaves to root",
    .needs_commutative = true,
    .dual = &dual_of<bcast_binomial_halving>,
};

}  // namespace hopbine::registered
