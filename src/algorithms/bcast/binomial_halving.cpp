// Binomial tree, largest distance first (MPICH's broadcast).
#include "families/claims.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm bcast_binomial_halving{
    .collective = Collective::bcast,
    .name = "binomial_halving",
    .summary = "binomial tree, distance-halving",
    .paper = "Johnsson, Ho ToC'89",
    .section = "spanning binomial tree",
    .claim = claims::tree,
    .make = [](const Problem& q) -> SchedulePtr {
        return tree_bcast(binomial_halving(q.p), q.root);
    },
};

}  // namespace hopbine::registered
