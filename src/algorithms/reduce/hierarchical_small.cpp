// Time reversal of the small hierarchical broadcast.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_hierarchical_small;

Algorithm reduce_hierarchical_small{
    .collective = Collective::reduce,
    .summary = "Bine trees inside, then between groups",
    .needs_commutative = true,
    .note = "any p, any number of ranks per node and nodes per group; a vector leaves a group once",
    .dual = &dual_of<bcast_hierarchical_small>,
};

}  // namespace hopbine::registered
