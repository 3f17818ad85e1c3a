// Time reversal of the large hierarchical broadcast.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_hierarchical_large;

Algorithm reduce_hierarchical_large{
    .collective = Collective::reduce,
    .summary = "reduce_scatter inside, then between groups, gather at home",
    .needs_commutative = true,
    .note =
        "any p, any number of ranks per node and nodes per group; a vector leaves a group once, "
        "carried by all its ranks",
    .dual = &dual_of<bcast_hierarchical_large>,
};

}  // namespace hopbine::registered
