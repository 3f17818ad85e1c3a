// The large hierarchical broadcast, backwards in time.
#include "combinators/combinators.hpp"
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_hierarchical_large{
    .collective = Collective::reduce,
    .name = "hierarchical_large",
    .summary = "reduce_scatter inside, then between groups, gather at home",
    .paper = "hopbine",
    .section = "docs/design.md, hierarchies",
    .needs_commutative = true,
    .follows_placement = true,
    .note =
        "any p, any number of ranks per node and nodes per group; a vector leaves a group once, "
        "carried by all its ranks",
    .claim = [](const Problem& q) { return hierarchy::claims::bcast_large(q); },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(hierarchy::bcast_large(hierarchy::levels(q), q.p, q.root), Op::reduce);
    },
};

}  // namespace hopbine::registered
