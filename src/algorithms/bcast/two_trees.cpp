// Pipelined broadcast of half of the vector down each of two binary trees (Sec. 3). Inner ranks of
// one tree are leaves of the other, so that links are full in both directions.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/tree/pipelined_trees.hpp"

namespace hopbine::registered {

Algorithm bcast_two_trees{
    .collective = Collective::bcast,
    .name = "two_trees",
    .summary = "segments down two edge-disjoint binary trees",
    .paper = "Sanders, Speck, Träff ParCo'09",
    .section = "3",
    .parameters = {segments::parameter},
    .claim =
        [](const Problem& q) {
            return segments::claim(q, binary_tree_steps(q.p), std::int64_t{q.p - 1}, 2);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr one = two_trees_bcast(q.p);
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
