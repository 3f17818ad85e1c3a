// Distance-doubling Bine reduce_scatter, distance-halving Bine gather (Sec. 4.5).
#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_bine_large{
    .collective = Collective::reduce,
    .name = "bine_large",
    .summary = "Bine reduce_scatter, then gather",
    .paper = "Bine SC'25",
    .section = "4.5",
    .needs_commutative = true,
    .note = "odd p: p - 1 ranks, the last one exchanges single blocks directly",
    .claim =
        [](const Problem& q) {
            return Claim{2 * bine::steps(q.p),
                         claims::all_blocks_once(q, 0).blocks + bine::gathered_blocks(q.p)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return bine::reduce_scatter_gather(q.p, q.root);
    },
};

}  // namespace hopbine::registered
