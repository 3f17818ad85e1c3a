// ParLogNa: Bruck's algorithm of any radix, with the block sizes in the header of every message
// (Sec. 3). The paper's rounds of a digit are one step here.
#include "families/claims.hpp"
#include "families/exchange/bruck.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm alltoallv_parlogna{
    .collective = Collective::alltoallv,
    .name = "parlogna",
    .summary = "a step for every digit of the way to base r, sizes in the same message as the data",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "3",
    .parameters = {radix::of_nonuniform},
    .claim = [](const Problem& q) { return claims::bruck_index(q.p, radix::r(q, q.p)); },
    .make = [](const Problem& q) -> SchedulePtr { return bruck_index(q.p, radix::r(q, q.p)); },
};

}  // namespace hopbine::registered
