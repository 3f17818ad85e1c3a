// k-nomial gather to rank 0, then k-nomial broadcast (Sec. III-C, eq. 2).
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm allgather_knomial{
    .collective = Collective::allgather,
    .name = "knomial",
    .summary = "k-nomial gather, then k-nomial broadcast",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .parameters = {radix::of_tree},
    .claim =
        [](const Problem& q) {
            const int k = radix::k(q);
            const Claim up = claims::knomial_scatter(q.p, k);
            return Claim{2 * up.steps, up.blocks + std::int64_t{q.p - 1} * q.p};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const int k = radix::k(q);
        return sequence(
            {reversed(tree_scatter(knomial(q.p, k), 0), Op::copy), tree_bcast(knomial(q.p, k), 0)});
    },
};

}  // namespace hopbine::registered
