// Binomial tree, largest distance first (MPICH's broadcast).
#include "core/algorithm.hpp"
#include "core/claims.hpp"
#include "core/tree.hpp"

namespace hopbine::registered {

Algorithm bcast_binomial_halving{
    .collective = Collective::bcast,
    .name = "binomial_halving",
    .summary = "binomial tree, distance-halving",
    .paper = "Bine SC'25",
    .section = "2.1",
    .claim = claims::tree,
    .make = [](const Problem& q) -> SchedulePtr {
        return tree_bcast(binomial_halving(q.p), q.root);
    },
};

}  // namespace hopbine::registered
