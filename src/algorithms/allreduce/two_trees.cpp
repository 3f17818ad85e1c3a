// Pipelined reduce up two binary trees and broadcast down them (Sec. 4). A segment goes down while
// the next ones go up.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/tree/pipelined_trees.hpp"

namespace hopbine::registered {

Algorithm allreduce_two_trees{
    .collective = Collective::allreduce,
    .name = "two_trees",
    .summary = "segments up and down two edge-disjoint binary trees",
    .paper = "Sanders, Speck, Träff ParCo'09",
    .section = "4",
    .needs_commutative = true,
    .parameters = {segments::parameter},
    .claim =
        [](const Problem& q) {
            return segments::claim(q, 2 * binary_tree_steps(q.p), 2 * std::int64_t{q.p - 1}, 2);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr down = two_trees_bcast(q.p);
        return segmented(sequence({reversed(down, Op::reduce), down}), q.p, segments::of(q));
    },
};

}  // namespace hopbine::registered
