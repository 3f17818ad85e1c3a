// Pairwise exchange: in step s rank r exchanges with r xor (s + 1).
#include "families/claims.hpp"
#include "families/exchange/direct_alltoall.hpp"

namespace hopbine::registered {

Algorithm alltoallv_exclusive_or{
    .collective = Collective::alltoallv,
    .name = "exclusive_or",
    .summary = "one exchange per step, partners in pairs",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.3",
    .ranks = Ranks::power_of_two,
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p - 1); },
    .make = [](const Problem& q) -> SchedulePtr { return direct_alltoall::exclusive_or(q.p); },
};

}  // namespace hopbine::registered
