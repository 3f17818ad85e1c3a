// Bruck's index algorithm of radix k. In the step of a digit, blocks whose distance has digit z
// move z times its weight ahead.
#include "families/exchange/bruck.hpp"

#include "families/claims.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm alltoall_bruck{
    .collective = Collective::alltoall,
    .name = "bruck",
    .summary = "index algorithm, a step for every digit of the way to base k",
    .paper = "Bruck et al. TPDS'97",
    .section = "3",
    .parameters = {radix::of_bruck},
    .claim = [](const Problem& q) { return claims::bruck_index(q.p, radix::k(q)); },
    .make = [](const Problem& q) -> SchedulePtr { return bruck_index(q.p, radix::k(q)); },
};

}  // namespace hopbine::registered
