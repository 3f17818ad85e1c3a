// Hierarchical broadcast in parts: the root's unit scatters, units exchange, every unit gathers.
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm bcast_hierarchical_large{
    .collective = Collective::bcast,
    .name = "hierarchical_large",
    .summary = "scatter at home, exchange between groups, allgather inside",
    .paper = "hopbine",
    .section = "docs/design.md, hierarchies",
    .follows_placement = true,
    .note =
        "any p, any number of ranks per node and nodes per group; the vector enters a group once, "
        "carried by all its ranks",
    .claim = [](const Problem& q) { return hierarchy::claims::bcast_large(q); },
    .make = [](const Problem& q) -> SchedulePtr {
        return hierarchy::bcast_large(hierarchy::levels(q), q.p, q.root);
    },
};

}  // namespace hopbine::registered
