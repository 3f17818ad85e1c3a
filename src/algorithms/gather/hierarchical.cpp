// The hierarchical scatter, backwards in time.
#include "combinators/combinators.hpp"
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm gather_hierarchical{
    .collective = Collective::gather,
    .name = "hierarchical",
    .summary = "trees inside, then one message out of every group",
    .paper = "Karonis et al. IPDPS'00",
    .section = "multilevel trees",
    .follows_placement = true,
    .note =
        "any p, any number of ranks per node and nodes per group; a block crosses between groups "
        "once",
    .claim = [](const Problem& q) { return hierarchy::claims::scatter(q); },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(hierarchy::scatter(hierarchy::levels(q), q.p, q.root), Op::copy);
    },
};

}  // namespace hopbine::registered
