// k-nomial reduce to rank 0, then k-nomial broadcast (Sec. III-C, eq. 2).
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm allreduce_knomial{
    .collective = Collective::allreduce,
    .name = "knomial",
    .summary = "k-nomial reduce, then k-nomial broadcast",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .needs_commutative = true,
    .parameters = {radix::of_tree},
    .claim =
        [](const Problem& q) {
            return Claim{2 * ceil_log(radix::k(q), q.p), 2 * std::int64_t{q.p - 1} * q.p};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const int k = radix::k(q);
        const SchedulePtr down = tree_bcast(knomial(q.p, k), 0);
        return sequence({reversed(down, Op::reduce), down});
    },
};

}  // namespace hopbine::registered
