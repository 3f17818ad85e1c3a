// Binomial tree, smallest distance first (Open MPI's broadcast).
#include "families/claims.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm bcast_binomial_doubling{
    .collective = Collective::bcast,
    .name = "binomial_doubling",
    .summary = "binomial tree, distance-doubling",
    .paper = "Johnsson, Ho ToC'89",
    .section = "spanning binomial tree",
    .claim = claims::tree,
    .make = [](const Problem& q) -> SchedulePtr {
        return tree_bcast(binomial_doubling(q.p), q.root);
    },
};

}  // namespace hopbine::registered
