// The hierarchical broadcast, backwards in time.
#include "combinators/combinators.hpp"
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_hierarchical_small{
    .collective = Collective::reduce,
    .name = "hierarchical_small",
    .summary = "Bine trees inside, then between groups",
    .paper = "Karonis et al. IPDPS'00",
    .section = "multilevel trees",
    .needs_commutative = true,
    .follows_placement = true,
    .note = "any p, any number of ranks per node and nodes per group; a vector leaves a group once",
    .claim = [](const Problem& q) { return hierarchy::claims::bcast_small(q); },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(hierarchy::bcast_small(hierarchy::levels(q), q.p, q.root), Op::reduce);
    },
};

}  // namespace hopbine::registered
