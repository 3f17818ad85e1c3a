// Distance-doubling binomial tree, from the leaves to the root.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm scatter_binomial_doubling;

Algorithm gather_binomial_doubling{
    .collective = Collective::gather,
    .dual = &dual_of<scatter_binomial_doubling>,
};

}  // namespace hopbine::registered
