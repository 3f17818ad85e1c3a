// Spread-out: every rank sends to all others at once, beginning with its neighbours. No rank is
// then the first destination of many.
#include "families/claims.hpp"
#include "families/exchange/direct_alltoall.hpp"

namespace hopbine::registered {

Algorithm alltoallv_spread_out{
    .collective = Collective::alltoallv,
    .name = "spread_out",
    .summary = "all messages at once, each rank beginning beside itself",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "2 (d)",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p > 1); },
    .make = [](const Problem& q) -> SchedulePtr { return direct_alltoall::batches(q.p, q.p); },
};

}  // namespace hopbine::registered
