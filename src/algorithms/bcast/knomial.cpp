// k-nomial tree with the whole vector in every message (Sec. III-C).
#include "families/claims.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm bcast_knomial{
    .collective = Collective::bcast,
    .name = "knomial",
    .summary = "k-nomial tree",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .parameters = {radix::of_tree},
    .claim =
        [](const Problem& q) {
            return Claim{ceil_log(radix::k(q), q.p), std::int64_t{q.p - 1} * q.p};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return tree_bcast(knomial(q.p, radix::k(q)), q.root);
    },
};

}  // namespace hopbine::registered
