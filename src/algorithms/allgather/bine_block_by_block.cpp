// Bine butterfly, one message per run of blocks (Sec. 4.3.1).
#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allgather_bine_block_by_block{
    .collective = Collective::allgather,
    .name = "bine_block_by_block",
    .summary = "Bine butterfly, a message per contiguous run",
    .paper = "Bine SC'25",
    .section = "4.3.1",
    .note =
        "even p without extra volume; odd p: p - 1 ranks, the last one exchanges single blocks "
        "directly",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, bine::steps(q.p)); },
    .make = [](const Problem& q) -> SchedulePtr {
        return per_run(bine::allgather(q.p, bine::Order::doubling, false));
    },
};

}  // namespace hopbine::registered
