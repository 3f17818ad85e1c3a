// A shift by one rank, then a hierarchical scan of the others.
#include "families/prefix/prefix.hpp"

namespace hopbine::registered {

Algorithm exscan_hierarchical{
    .collective = Collective::exscan,
    .name = "hierarchical",
    .summary = "contributions to the next rank, then a hierarchical scan",
    .paper = "hopbine",
    .section = "hierarchies (docs/design.md)",
    .follows_placement = true,
    .note = "any p; a unit counts as several where other ranks lie between its own",
    .claim =
        [](const Problem& q) {
            const prefix::Cost above =
                prefix::hierarchical_cost(prefix::levels_above_first(q), q.p - 1);
            return above.exclusive(q.p).claim(q);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return prefix::exclusive(prefix::hierarchical(prefix::levels_above_first(q), q.p - 1, q.p),
                                 q.p);
    },
};

}  // namespace hopbine::registered
