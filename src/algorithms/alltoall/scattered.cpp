// Throttled: every rank sends to the ranks after it, in batches. A batch starts when all messages
// of the previous one have completed.
#include "families/claims.hpp"
#include "families/exchange/direct_alltoall.hpp"

namespace hopbine::registered {

Algorithm alltoall_scattered{
    .collective = Collective::alltoall,
    .name = "scattered",
    .summary = "all messages, at most a batch of them in flight",
    .paper = "MPI libraries",
    .section = "MPICH's scattered",
    .parameters = {direct_alltoall::throttle(8)},
    .claim =
        [](const Problem& q) {
            return claims::all_blocks_once(q, ceil_div(q.p - 1, q.get("batch")));
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return direct_alltoall::batches(q.p, q.get("batch"));
    },
};

}  // namespace hopbine::registered
