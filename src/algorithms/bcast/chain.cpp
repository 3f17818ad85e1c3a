// Pipelined chain: every rank forwards each segment to the next rank.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/tree/pipelined_trees.hpp"

namespace hopbine::registered {

Algorithm bcast_chain{
    .collective = Collective::bcast,
    .name = "chain",
    .summary = "segments along a chain of ranks",
    .paper = "Sanders, Speck, Träff ParCo'09",
    .section = "1",
    .parameters = {segments::parameter},
    .claim = [](const Problem& q) { return segments::claim(q, q.p - 1, std::int64_t{q.p - 1}); },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr one = tree_bcast(chain(q.p), 0);
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
