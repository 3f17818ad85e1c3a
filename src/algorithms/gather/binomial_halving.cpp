// Distance-halving binomial tree, from the leaves to the root.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm scatter_binomial_halving;

Algorithm gather_binomial_halving{
    .collective = Collective::gather,
    .dual = &dual_of<scatter_binomial_halving>,
};

}  // namespace hopbine::registered
