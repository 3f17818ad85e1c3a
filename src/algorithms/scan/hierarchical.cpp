// Hierarchical scan: a unit sends its sum to another ceil(log2 units) times at most.
#include "families/prefix/prefix.hpp"

namespace hopbine::registered {

Algorithm scan_hierarchical{
    .collective = Collective::scan,
    .name = "hierarchical",
    .summary = "prefix sums inside units, then between their last ranks, handed down trees",
    .paper = "hopbine",
    .section = "hierarchies (docs/design.md)",
    .follows_placement = true,
    .note = "any p; a unit counts as several where other ranks lie between its own",
    .claim =
        [](const Problem& q) {
            return prefix::hierarchical_cost(hierarchy::levels(q), q.p).claim(q);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return prefix::hierarchical(hierarchy::levels(q), q.p, q.p);
    },
};

}  // namespace hopbine::registered
