// Up two binary trees at once, half of the vector on each: inner ranks of one are leaves of
// the other, so that links are full both ways (Sec. 3).
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/tree/pipelined_trees.hpp"

namespace hopbine::registered {

Algorithm reduce_two_trees{
    .collective = Collective::reduce,
    .name = "two_trees",
    .summary = "segments up two edge-disjoint binary trees",
    .paper = "Sanders, Speck, Träff ParCo'09",
    .section = "3",
    .needs_commutative = true,
    .parameters = {segments::parameter},
    .claim =
        [](const Problem& q) {
            return segments::claim(q, binary_tree_steps(q.p), std::int64_t{q.p - 1}, 2);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr one = reversed(two_trees_bcast(q.p), Op::reduce);
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
