// Bine reduce_scatter and gather (Sec. 4.5): the large broadcast, backwards in time.
#include "families/bine/bine.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_bine_large{
    .collective = Collective::reduce,
    .name = "bine_large",
    .summary = "Bine reduce_scatter, then gather",
    .paper = "Bine SC'25",
    .section = "4.5",
    .needs_commutative = true,
    .note =
        "as the reverse of the large broadcast it moves (p - 1) n bytes in all; odd p: p - 1 "
        "ranks, the last one served directly",
    .claim =
        [](const Problem& q) { return Claim{2 * bine::steps(q.p), std::int64_t{q.p - 1} * q.p}; },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(bine::scatter_allgather(q.p, q.root), Op::reduce);
    },
};

}  // namespace hopbine::registered
