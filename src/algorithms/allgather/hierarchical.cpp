// The hierarchical reduce_scatter, backwards in time.
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allgather_hierarchical{
    .collective = Collective::allgather,
    .name = "hierarchical",
    .summary = "between groups, inside groups, then inside nodes",
    .paper = "hopbine",
    .section = "docs/design.md, hierarchies",
    .parameters = {hierarchy::at_once},
    .follows_placement = true,
    .note =
        "any p, any number of ranks per node and nodes per group; every block enters a group once",
    .claim = [](const Problem& q) { return hierarchy::claims::reduce_scatter(q); },
    .make = [](const Problem& q) -> SchedulePtr {
        return hierarchy::allgather(hierarchy::levels(q), q.p, hierarchy::between(q));
    },
};

}  // namespace hopbine::registered
