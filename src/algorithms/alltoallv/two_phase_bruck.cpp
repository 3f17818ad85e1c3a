// Two-phase Bruck: each step sends a message with the block sizes, then the data.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/exchange/bruck.hpp"

namespace hopbine::registered {

Algorithm alltoallv_two_phase_bruck{
    .collective = Collective::alltoallv,
    .name = "two_phase_bruck",
    .summary = "Bruck of radix 2, sizes in a message before the data",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "2 (b)",
    .claim = [](const Problem& q) { return claims::bruck_index(q.p, 2); },
    .make = [](const Problem& q) -> SchedulePtr {
        return wired(bruck_index(q.p, 2), Wire::sizes_first);
    },
};

}  // namespace hopbine::registered
