// Padded Bruck: every block as large as the largest of all, so that no sizes need be told.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/exchange/bruck.hpp"

namespace hopbine::registered {

Algorithm alltoallv_padded_bruck{
    .collective = Collective::alltoallv,
    .name = "padded_bruck",
    .summary = "Bruck of radix 2, all blocks padded to the largest",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "2 (b)",
    .claim = [](const Problem& q) { return claims::bruck_index(q.p, 2); },
    .make = [](const Problem& q) -> SchedulePtr {
        return wired(bruck_index(q.p, 2), Wire::padded);
    },
};

}  // namespace hopbine::registered
