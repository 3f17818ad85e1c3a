// Hierarchical allreduce of whole vectors through one leader per unit.
#include "families/hierarchy/hierarchy.hpp"
#include "families/radix.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allreduce_hierarchical_small{
    .collective = Collective::allreduce,
    .name = "hierarchical_small",
    .summary =
        "reduce inside units, recursive multiplying between their first ranks, broadcast back",
    .paper = "Karonis et al. IPDPS'00",
    .section = "multilevel trees",
    .needs_commutative = true,
    .parameters = {radix::of_levels(2)},
    .follows_placement = true,
    .note = "any p, any number of ranks per node and nodes per group",
    .claim = [](const Problem& q) { return hierarchy::claims::allreduce_small(q, radix::k(q)); },
    .make = [](const Problem& q) -> SchedulePtr {
        return hierarchy::allreduce_small(hierarchy::levels(q), q.p, radix::k(q));
    },
};

}  // namespace hopbine::registered
