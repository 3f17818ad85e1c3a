// Pipelined Bine reduce_scatter and allgather (Sec. 4.4, 5.2). One segment is reduced while the
// next is in flight.
#include "combinators/segments.hpp"
#include "families/bine/bine.hpp"

namespace hopbine::registered {

Algorithm allreduce_bine_segmented{
    .collective = Collective::allreduce,
    .name = "bine_segmented",
    .summary = "Bine reduce_scatter and allgather in segments",
    .paper = "Bine SC'25",
    .section = "4.4, 5.2",
    .needs_commutative = true,
    .parameters = {segments::parameter},
    .claim =
        [](const Problem& q) {
            return segments::claim(q, 2 * bine::steps(q.p), 2 * std::int64_t{q.p - 1});
        },
    .make = [](const Problem& q) { return segmented(bine::allreduce(q.p), q.p, segments::of(q)); },
};

}  // namespace hopbine::registered
