// Pairwise exchange: in step s every rank sends to the rank s + 1 ahead.
#include "families/claims.hpp"
#include "families/exchange/direct_alltoall.hpp"

namespace hopbine::registered {

Algorithm alltoallv_pairwise{
    .collective = Collective::alltoallv,
    .name = "pairwise",
    .summary = "one exchange per step",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "2 (d)",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p - 1); },
    .make = [](const Problem& q) -> SchedulePtr { return direct_alltoall::batches(q.p, 1); },
};

}  // namespace hopbine::registered
