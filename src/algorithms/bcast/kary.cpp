// Pipelined complete k-ary tree. With k = 2 it is Open MPI's binary tree.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/radix.hpp"
#include "families/tree/pipelined_trees.hpp"

namespace hopbine::registered {

Algorithm bcast_kary{
    .collective = Collective::bcast,
    .name = "kary",
    .summary = "segments down a complete k-ary tree",
    .paper = "MPI libraries",
    .section = "binary tree",
    .parameters = {radix::of_children, segments::parameter},
    .by_name_only = true,
    .claim =
        [](const Problem& q) {
            return segments::claim(q, kary_steps(q.p, radix::k(q)), std::int64_t{q.p - 1});
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr one = tree_bcast(kary(q.p, radix::k(q)), 0);
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
