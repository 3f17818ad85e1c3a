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
    .parameters = {{"batch", Kind::batch, 1, 1 << 20, 32,
                    "messages to as many ranks are in flight together"}},
    .claim =
        [](const Problem& q) {
            return claims::all_blocks_once(q, ceil_div(q.p - 1, q.get("batch")));
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return direct_alltoall::batches(q.p, q.get("batch"));
    },
};

}  // namespace hopbine::registered
