// Hierarchical reduce_scatter and allgather: inside nodes, inside groups, between groups, and back.
// This is the least volume between groups for a reduce_scatter and an allgather.
#include "combinators/combinators.hpp"
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allreduce_hierarchical_large{
    .collective = Collective::allreduce,
    .name = "hierarchical_large",
    .summary = "hierarchical reduce_scatter and allgather",
    .paper = "hopbine",
    .section = "docs/design.md, hierarchies",
    .needs_commutative = true,
    .parameters = {hierarchy::at_once},
    .follows_placement = true,
    .note =
        "any p, any number of ranks per node and nodes per group; moves the least between groups "
        "that a reduce_scatter and an allgather can",
    .claim =
        [](const Problem& q) {
            const Claim half = hierarchy::claims::reduce_scatter(q);
            return Claim{2 * half.steps, 2 * half.blocks};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const auto levels = hierarchy::levels(q);
        const auto between = hierarchy::between(q);
        return sequence({hierarchy::reduce_scatter(levels, q.p, between),
                         hierarchy::allgather(levels, q.p, between)});
    },
};

}  // namespace hopbine::registered
