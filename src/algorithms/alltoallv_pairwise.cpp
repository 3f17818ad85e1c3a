// In step s every rank sends to the one s + 1 on.
#include "core/claims.hpp"
#include "core/straight.hpp"

namespace hopbine::registered {

Algorithm alltoallv_pairwise{
    .collective = Collective::alltoallv,
    .name = "pairwise",
    .summary = "one exchange per step",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "2 (d)",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p - 1); },
    .make = [](const Problem& q) -> SchedulePtr { return straight::batches(q.p, 1); },
};

}  // namespace hopbine::registered
