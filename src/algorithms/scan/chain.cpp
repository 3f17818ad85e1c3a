// Pipelined chain: every rank adds to each segment what the rank before has, and hands it on.
#include "combinators/segments.hpp"
#include "families/prefix/prefix.hpp"

namespace hopbine::registered {

Algorithm scan_chain{
    .collective = Collective::scan,
    .name = "chain",
    .summary = "segments along a chain of ranks",
    .paper = "Sanders, Träff EuroPVM/MPI'06",
    .section = "linear pipeline",
    .parameters = {segments::parameter},
    .claim =
        [](const Problem& q) {
            const prefix::Cost cost = prefix::chain_cost(q.p);
            return segments::claim(q, cost.steps, cost.messages);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return segmented(prefix::chain(q.p, q.p), q.p, segments::of(q));
    },
};

}  // namespace hopbine::registered
