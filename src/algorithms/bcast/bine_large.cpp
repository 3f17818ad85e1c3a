// Distance-doubling Bine scatter, distance-halving Bine allgather (Sec. 4.5).
#include "families/bine/bine.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm bcast_bine_large{
    .collective = Collective::bcast,
    .name = "bine_large",
    .summary = "Bine scatter, then allgather",
    .paper = "Bine SC'25",
    .section = "4.5",
    .note =
        "what a rank holds from the scatter is not sent to it again; odd p: p - 1 ranks, the last "
        "one served directly",
    .claim =
        [](const Problem& q) { return Claim{2 * bine::steps(q.p), std::int64_t{q.p - 1} * q.p}; },
    .make = [](const Problem& q) -> SchedulePtr { return bine::scatter_allgather(q.p, q.root); },
};

}  // namespace hopbine::registered
