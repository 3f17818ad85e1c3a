// Sparbit: the distance halves in each step, so that most data travels between near ranks. Blocks
// need no reordering.
#include "families/exchange/sparbit.hpp"

#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allgather_sparbit{
    .collective = Collective::allgather,
    .name = "sparbit",
    .summary = "distance-halving allgather, a message per block",
    .paper = "Loch, Koslovski SBAC-PAD'21",
    .section = "3",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, ceil_log2(q.p)); },
    .make = [](const Problem& q) -> SchedulePtr { return sparbit(q.p); },
};

}  // namespace hopbine::registered
