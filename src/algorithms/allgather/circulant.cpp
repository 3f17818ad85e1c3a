// Allgather on a circulant graph: all ranks broadcast at the same time, one block each. More blocks
// would only add steps, as every rank already receives every block once.
#include "families/exchange/circulant.hpp"

#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allgather_circulant{
    .collective = Collective::allgather,
    .name = "circulant",
    .summary = "on a circulant graph, in ceil(log2 p) steps with halved distances",
    .paper = "Träff arXiv:2407.18004",
    .section = "all-broadcast",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, ceil_log2(q.p)); },
    .make = [](const Problem& q) -> SchedulePtr { return circulant::allgather(q.p); },
};

}  // namespace hopbine::registered
