// Bruck's concatenation algorithm of radix k. In step x a rank has k^x blocks and sends them to the
// k - 1 ranks at multiples of k^x below it.
#include "families/exchange/bruck.hpp"

#include "families/claims.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm allgather_bruck{
    .collective = Collective::allgather,
    .name = "bruck",
    .summary = "concatenation in log_k(p) steps for any p",
    .paper = "Bruck et al. TPDS'97",
    .section = "4",
    .parameters = {radix::of_bruck},
    .claim =
        [](const Problem& q) { return claims::all_blocks_once(q, ceil_log(radix::k(q), q.p)); },
    .make = [](const Problem& q) -> SchedulePtr { return bruck_concatenation(q.p, radix::k(q)); },
};

}  // namespace hopbine::registered
