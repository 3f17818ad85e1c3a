// Ring: every block collects contributions on its way round.
#include "core/algorithm.hpp"
#include "core/claims.hpp"
#include "core/combinators.hpp"
#include "core/ring.hpp"

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
        return reversed(ring_allgather(q.p), Mode::reduce);
    },
};

}  // namespace hopbine::registered
