// Hierarchical broadcast of whole vectors, once into every group, then once into every node.
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm bcast_hierarchical_small{
    .collective = Collective::bcast,
    .name = "hierarchical_small",
    .summary = "Bine trees between groups, then inside",
    .paper = "Karonis et al. IPDPS'00",
    .section = "multilevel trees",
    .follows_placement = true,
    .note =
        "any p, any number of ranks per node and nodes per group; the vector enters a group once",
    .claim = [](const Problem& q) { return hierarchy::claims::bcast_small(q); },
    .make = [](const Problem& q) -> SchedulePtr {
        return hierarchy::bcast_small(hierarchy::levels(q), q.p, q.root);
    },
};

}  // namespace hopbine::registered
