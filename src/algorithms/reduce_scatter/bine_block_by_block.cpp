// Bine butterfly, one message per run of blocks (Sec. 4.3.1).
#include "combinators/combinators.hpp"
#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_bine_block_by_block{
    .collective = Collective::reduce_scatter,
    .name = "bine_block_by_block",
    .summary = "Bine butterfly, a message per contiguous run",
    .paper = "Bine SC'25",
    .section = "4.3.1",
    .needs_commutative = true,
    .parameters =
        {{"joined", Kind::flag, 0, 1, 0,
          "1: a message to a rank has all its runs of blocks, as with a derived datatype; "
          "0: a message each"}},
    .note =
        "even p without extra volume; odd p: p - 1 ranks, the last one exchanges single blocks "
        "directly",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, bine::steps(q.p)); },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr s = bine::reduce_scatter(q.p, bine::Order::doubling, false);
        return q.get("joined") ? s : per_run(s);
    },
};

}  // namespace hopbine::registered
