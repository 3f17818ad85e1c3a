// Linear: every rank sends to all others at once, in rank order.
#include "families/claims.hpp"
#include "families/exchange/direct_alltoall.hpp"

namespace hopbine::registered {

Algorithm alltoallv_linear{
    .collective = Collective::alltoallv,
    .name = "linear",
    .summary = "all messages at once, in rank order",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "2 (d)",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p > 1); },
    .make = [](const Problem& q) -> SchedulePtr { return direct_alltoall::in_rank_order(q.p); },
};

}  // namespace hopbine::registered
