// In step s rank r exchanges with r xor (s + 1).
#include "core/claims.hpp"
#include "core/straight.hpp"

namespace hopbine::registered {

Algorithm alltoallv_exclusive_or{
    .collective = Collective::alltoallv,
    .name = "exclusive_or",
    .summary = "one exchange per step, partners in pairs",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.3",
    .ranks = Ranks::power_of_two,
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p - 1); },
    .make = [](const Problem& q) -> SchedulePtr { return straight::exclusive_or(q.p); },
};

}  // namespace hopbine::registered
