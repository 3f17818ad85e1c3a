// A shift by one rank, then a pipelined chain of the others.
#include <algorithm>

#include "combinators/segments.hpp"
#include "families/prefix/prefix.hpp"

namespace hopbine::registered {

Algorithm exscan_chain{
    .collective = Collective::exscan,
    .name = "chain",
    .summary = "segments: contributions to the next rank, then along a chain of ranks",
    .paper = "Sanders, Träff EuroPVM/MPI'06",
    .section = "linear pipeline",
    .parameters = {segments::parameter},
    .claim =
        [](const Problem& q) {
            const prefix::Cost cost = prefix::chain_cost(q.p - 1).exclusive(q.p);
            return segments::claim(q, cost.steps, cost.messages);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return segmented(prefix::exclusive(prefix::chain(q.p - 1, q.p), q.p), q.p, segments::of(q));
    },
};

}  // namespace hopbine::registered
