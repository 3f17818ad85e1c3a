// Spread-out in batches: a batch starts when all messages of the previous one have completed.
#include "families/claims.hpp"
#include "families/exchange/direct_alltoall.hpp"

namespace hopbine::registered {

Algorithm alltoallv_scattered{
    .collective = Collective::alltoallv,
    .name = "scattered",
    .summary = "spread_out in batches",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "2 (d)",
    .parameters = {direct_alltoall::throttle(32)},
    .claim =
        [](const Problem& q) {
            return claims::all_blocks_once(q, ceil_div(q.p - 1, q.get("batch")));
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return direct_alltoall::batches(q.p, q.get("batch"));
    },
};

}  // namespace hopbine::registered
