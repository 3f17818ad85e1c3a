// Pipelined distance-halving Bine tree (Sec. 2.3; segments as in Sec. 5.2), backwards.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/bine/bine.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm reduce_bine_pipelined{
    .collective = Collective::reduce,
    .name = "bine_pipelined",
    .summary = "segments up a distance-halving Bine tree",
    .paper = "Bine SC'25",
    .section = "2.3, 5.2",
    .needs_commutative = true,
    .parameters = {segments::parameter},
    .claim =
        [](const Problem& q) { return segments::claim(q, ceil_log2(q.p), std::int64_t{q.p - 1}); },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr one = reversed(tree_bcast(bine::halving_tree(q.p), 0), Op::reduce);
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
