// k-nomial tree; a message carries the blocks of a subtree (Sec. III-C).
#include "families/claims.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm scatter_knomial{
    .collective = Collective::scatter,
    .name = "knomial",
    .summary = "k-nomial tree",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .parameters = {radix::of_tree},
    .claim = [](const Problem& q) { return claims::knomial_scatter(q.p, radix::k(q)); },
    .make = [](const Problem& q) -> SchedulePtr {
        return tree_scatter(knomial(q.p, radix::k(q)), q.root);
    },
};

}  // namespace hopbine::registered
