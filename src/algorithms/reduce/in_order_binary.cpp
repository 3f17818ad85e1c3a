// Pipelined binary tree to the last rank in which a rank's subtree is the ranks before it, so that
// operands keep their order; then the result to the root. Open MPI does so for operations that are
// not commutative.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/tree/pipelined_trees.hpp"

namespace hopbine::registered {

Algorithm reduce_in_order_binary{
    .collective = Collective::reduce,
    .name = "in_order_binary",
    .summary = "segments up a binary tree to the last rank in rank order, then to the root",
    .paper = "MPI libraries",
    .section = "in-order binary tree",
    .parameters = {segments::parameter},
    .by_name_only = true,
    .claim =
        [](const Problem& q) {
            const int further = q.root != q.p - 1;
            return segments::claim(q, preorder_tree_steps(q.p) + further,
                                   std::int64_t{q.p - 1} + further);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        std::vector<int> backwards;
        for (int v = 0; v < q.p; ++v) backwards.push_back(q.p - 1 - v);
        SchedulePtr one = relabelled(reversed(tree_bcast(preorder_tree(q.p), 0), Op::reduce),
                                     q.collective, std::move(backwards));
        if (q.root != q.p - 1)
            one = sequence({one, one_message(q.p - 1, q.root, BlockSet::range(0, q.p))});
        return segmented(one, q.p, segments::of(q));
    },
};

}  // namespace hopbine::registered
