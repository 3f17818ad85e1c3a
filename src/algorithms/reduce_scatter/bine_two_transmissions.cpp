// Distance-halving Bine butterfly, in which blocks form one circular run (Sec. 4.3.1). For p a
// power of two a step takes at most two messages.
#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_bine_two_transmissions{
    .collective = Collective::reduce_scatter,
    .name = "bine_two_transmissions",
    .summary = "Bine butterfly in distance-halving order, at most two messages a step",
    .paper = "Bine SC'25",
    .section = "4.3.1",
    .needs_commutative = true,
    .note =
        "at most two messages a step when p is a power of two; even p without extra volume; odd p: "
        "p - 1 ranks, the last one exchanges single blocks directly",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, bine::steps(q.p)); },
    .make = [](const Problem& q) -> SchedulePtr {
        return per_run(bine::reduce_scatter(q.p, bine::Order::halving, false));
    },
};

}  // namespace hopbine::registered
