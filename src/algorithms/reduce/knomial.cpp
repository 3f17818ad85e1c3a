// k-nomial tree with whole vectors, from the leaves to the root (Sec. III-C).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_knomial;

Algorithm reduce_knomial{
    .collective = Collective::reduce,
    .summary = "k-nomial tree, leaves to root",
    .needs_commutative = true,
    .dual = &dual_of<bcast_knomial>,
};

}  // namespace hopbine::registered
