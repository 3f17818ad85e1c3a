// Ring reduce_scatter, then ring allgather.
#include "families/ring/ring.hpp"

#include "combinators/combinators.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allreduce_ring{
    .collective = Collective::allreduce,
    .name = "ring",
    .summary = "ring reduce_scatter and allgather",
    .paper = "Patarasuk, Yuan JPDC'09",
    .section = "4",
    .needs_commutative = true,
    .claim =
        [](const Problem& q) { return Claim{2 * (q.p - 1), 2 * std::int64_t{q.p} * (q.p - 1)}; },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr around = ring_allgather(q.p);
        return sequence({reversed(around, Op::reduce), around});
    },
};

}  // namespace hopbine::registered
