// Padded Bruck: every block is padded to the size of the largest, so that no sizes are sent.
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
