// Ring: every rank forwards the block it received last to its right neighbour.
#include "families/ring/ring.hpp"

#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allgather_ring{
    .collective = Collective::allgather,
    .name = "ring",
    .summary = "ring",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.1",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p - 1); },
    .make = [](const Problem& q) -> SchedulePtr { return ring_allgather(q.p); },
};

}  // namespace hopbine::registered
