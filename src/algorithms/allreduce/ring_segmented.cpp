// Pipelined ring reduce_scatter and allgather: one segment is reduced while the next is in flight.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/ring/ring.hpp"

namespace hopbine::registered {

Algorithm allreduce_ring_segmented{
    .collective = Collective::allreduce,
    .name = "ring_segmented",
    .summary = "ring reduce_scatter and allgather in segments",
    .paper = "Bine SC'25",
    .section = "5.2",
    .needs_commutative = true,
    .parameters = {segments::parameter},
    .claim =
        [](const Problem& q) {
            return segments::claim(q, 2 * (q.p - 1), 2 * std::int64_t{q.p - 1});
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr around = ring_allgather(q.p);
        return segmented(sequence({reversed(around, Op::reduce), around}), q.p, segments::of(q));
    },
};

}  // namespace hopbine::registered
