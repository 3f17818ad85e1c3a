// Hierarchical barrier: inside units to their first ranks, between these, and back.
#include "combinators/combinators.hpp"
#include "families/hierarchy/hierarchy.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm barrier_hierarchical{
    .collective = Collective::barrier,
    .name = "hierarchical",
    .summary = "trees inside units, recursive multiplying between their first ranks, trees back",
    .paper = "Karonis et al. IPDPS'00",
    .section = "multilevel trees",
    .parameters = {radix::of_levels(8)},
    .follows_placement = true,
    .note = "any p, any number of ranks per node and nodes per group",
    .claim =
        [](const Problem& q) {
            const Claim c = hierarchy::claims::allreduce_small(q, radix::k(q));
            return Claim{c.steps, c.blocks / q.p};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return signals(hierarchy::allreduce_small(hierarchy::levels(q), q.p, radix::k(q)));
    },
};

}  // namespace hopbine::registered
