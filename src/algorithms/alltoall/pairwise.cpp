// Pairwise exchange: every rank sends one block to the rank s + 1 ahead in step s.
#include "families/claims.hpp"
#include "families/exchange/direct_alltoall.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm alltoall_pairwise{
    .collective = Collective::alltoall,
    .name = "pairwise",
    .summary = "one exchange per step",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.3",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p - 1); },
    .make = [](const Problem& q) -> SchedulePtr { return direct_alltoall::batches(q.p, 1); },
};

}  // namespace hopbine::registered
