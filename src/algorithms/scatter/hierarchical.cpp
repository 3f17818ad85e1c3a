// Hierarchical scatter: the blocks of a group enter it in one message.
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm scatter_hierarchical{
    .collective = Collective::scatter,
    .name = "hierarchical",
    .summary = "one message into every group, then trees inside",
    .paper = "Karonis et al. IPDPS'00",
    .section = "multilevel trees",
    .follows_placement = true,
    .note =
        "any p, any number of ranks per node and nodes per group; a block crosses between groups "
        "once",
    .claim = [](const Problem& q) { return hierarchy::claims::scatter(q); },
    .make = [](const Problem& q) -> SchedulePtr {
        return hierarchy::scatter(hierarchy::levels(q), q.p, q.root);
    },
};

}  // namespace hopbine::registered
