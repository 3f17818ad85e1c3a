// k-nomial tree: whole vectors from the root down (Sec. III-C).
#include "core/claims.hpp"
#include "core/tree.hpp"

namespace hopbine::registered {

Algorithm bcast_knomial{
    .collective = Collective::bcast,
    .name = "knomial",
    .summary = "k-nomial tree",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .parameters = {{"k", 2, 1 << 20, 4, "radix: k - 1 messages of a level are in flight together; p or more makes it flat"}},
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
