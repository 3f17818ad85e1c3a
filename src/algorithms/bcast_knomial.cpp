// k-nomial tree: whole vectors from the root down (Sec. III-C).
#include "core/claims.hpp"
#include "core/radix.hpp"
#include "core/tree.hpp"

namespace hopbine::registered {

Algorithm bcast_knomial{
    .collective = Collective::bcast,
    .name = "knomial",
    .summary = "k-nomial tree",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .parameters = {radix::of_tree},
    .claim = [](const Problem& q) {
        const int k = static_cast<int>(q.get("k"));
        return Claim{ceil_log(k, q.p), std::int64_t{q.p - 1} * q.p};
    },
    .make = [](const Problem& q) -> SchedulePtr {
        const int k = static_cast<int>(q.get("k"));
        return tree_bcast(knomial(q.p, k), q.root);
    },
};

}  // namespace hopbine::registered
