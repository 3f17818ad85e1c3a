// k-nomial tree: every message carries the blocks of a subtree (Sec. III-C).
#include "core/claims.hpp"
#include "core/radix.hpp"
#include "core/tree.hpp"

namespace hopbine::registered {

Algorithm scatter_knomial{
    .collective = Collective::scatter,
    .name = "knomial",
    .summary = "k-nomial tree",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .parameters = {radix::of_tree},
    .claim = [](const Problem& q) {
        const int k = static_cast<int>(q.get("k"));
        return claims::knomial_scatter(q.p, k);
    },
    .make = [](const Problem& q) -> SchedulePtr {
        const int k = static_cast<int>(q.get("k"));
        return tree_scatter(knomial(q.p, k), q.root);
    },
};

}  // namespace hopbine::registered
