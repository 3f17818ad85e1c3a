// Pipelined distance-halving Bine tree (Sec. 2.3; segments as in Sec. 5.2).
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/bine/bine.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm bcast_bine_pipelined{
    .collective = Collective::bcast,
    .name = "bine_pipelined",
    .summary = "segments down a distance-halving Bine tree",
    .paper = "Bine SC'25",
    .section = "2.3, 5.2",
    .parameters = {segments::parameter},
    .claim =
        [](const Problem& q) { return segments::claim(q, ceil_log2(q.p), std::int64_t{q.p - 1}); },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr one = bine::halving_bcast(q.p, 0);
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
