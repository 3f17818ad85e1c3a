// k-nomial reduce to rank 0, then k-nomial scatter. Not a dual of the allgather: in the reverse of
// its gather, blocks replace contributions that were sent up before.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_knomial{
    .collective = Collective::reduce_scatter,
    .name = "knomial",
    .summary = "k-nomial reduce, then k-nomial scatter",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .needs_commutative = true,
    .parameters = {radix::of_tree},
    .claim =
        [](const Problem& q) {
            const Claim down = claims::knomial_scatter(q.p, radix::k(q));
            return Claim{2 * down.steps, down.blocks + std::int64_t{q.p - 1} * q.p};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const int k = radix::k(q);
        return sequence({reversed(tree_bcast(knomial(q.p, k), 0), Op::reduce),
                         tree_scatter(knomial(q.p, k), 0)});
    },
};

}  // namespace hopbine::registered
