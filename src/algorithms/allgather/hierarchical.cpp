// Time reversal of the hierarchical reduce_scatter.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_hierarchical;

Algorithm allgather_hierarchical{
    .collective = Collective::allgather,
    .summary = "between groups, inside groups, then inside nodes",
    .note =
        "any p, any number of ranks per node and nodes per group; every block enters a group once",
    .dual = &dual_of<reduce_scatter_hierarchical>,
};

}  // namespace hopbine::registered
