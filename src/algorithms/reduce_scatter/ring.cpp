// Ring: every block collects contributions on its way round.
#include "families/ring/ring.hpp"

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_ring{
    .collective = Collective::reduce_scatter,
    .name = "ring",
    .summary = "ring",
    .paper = "MPI libraries",
    .section = "ring",
    .needs_commutative = true,
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p - 1); },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(ring_allgather(q.p), Op::reduce);
    },
};

}  // namespace hopbine::registered
