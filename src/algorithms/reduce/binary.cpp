// Pipelined in-order binary tree, backwards.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/tree/pipelined_trees.hpp"

namespace hopbine::registered {

Algorithm reduce_binary{
    .collective = Collective::reduce,
    .name = "binary",
    .summary = "segments up an in-order binary tree",
    .paper = "Sanders, Speck, Träff ParCo'09",
    .section = "1, 3",
    .needs_commutative = true,
    .parameters = {segments::parameter},
    .claim =
        [](const Problem& q) {
            return segments::claim(q, binary_tree_steps(q.p), std::int64_t{q.p - 1});
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr one = reversed(tree_bcast(binary_tree(q.p), 0), Op::reduce);
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
