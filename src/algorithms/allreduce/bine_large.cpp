// Bine reduce_scatter, then Bine allgather (Sec. 4.4), in segments where the user asks for it.
#include "combinators/segments.hpp"
#include "families/bine/bine.hpp"

namespace hopbine::registered {

Algorithm allreduce_bine_large{
    .collective = Collective::allreduce,
    .name = "bine_large",
    .summary = "Bine reduce_scatter and allgather, no permutation",
    .paper = "Bine SC'25",
    .section = "4.4",
    .needs_commutative = true,
    .parameters = {segments::bytes_parameter},
    .note =
        "even p without extra volume; odd p: p - 1 ranks, the last one exchanges single blocks "
        "directly",
    .claim =
        [](const Problem& q) {
            return segments::claim_of(segments::by_bytes(q), q, 2 * bine::steps(q.p),
                                      2 * std::int64_t{q.p - 1});
        },
    .make =
        [](const Problem& q) {
            return segmented(bine::allreduce(q.p), q.p, segments::by_bytes(q));
        },
};

}  // namespace hopbine::registered
