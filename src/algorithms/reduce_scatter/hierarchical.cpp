// Hierarchical reduce_scatter: units reduce their contributions, then exchange the results. Every
// block crosses between units as rarely as in any reduce_scatter.
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_hierarchical{
    .collective = Collective::reduce_scatter,
    .name = "hierarchical",
    .summary = "inside nodes, inside groups, then between groups",
    .paper = "hopbine",
    .section = "docs/design.md, hierarchies",
    .needs_commutative = true,
    .parameters = {hierarchy::at_once},
    .follows_placement = true,
    .note =
        "any p, any number of ranks per node and nodes per group; every contribution crosses "
        "between groups once per group",
    .claim = [](const Problem& q) { return hierarchy::claims::reduce_scatter(q); },
    .make = [](const Problem& q) -> SchedulePtr {
        return hierarchy::reduce_scatter(hierarchy::levels(q), q.p, hierarchy::between(q));
    },
};

}  // namespace hopbine::registered
