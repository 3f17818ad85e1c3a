// Binomial tree to rank 0, which keeps rank order, then the result to the root. MPICH does so for
// operations that are not commutative.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_binomial_in_order{
    .collective = Collective::reduce,
    .name = "binomial_in_order",
    .summary = "binomial tree to rank 0 in rank order, then to the root",
    .paper = "MPI libraries",
    .section = "operations that do not commute",
    .claim =
        [](const Problem& q) {
            const Claim tree = claims::tree(q);
            return Claim{tree.steps + (q.root != 0), tree.blocks + (q.root != 0) * q.p};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr tree = reversed(tree_bcast(binomial_halving(q.p), 0), Op::reduce);
        if (q.root == 0) return tree;
        return sequence({tree, one_message(0, q.root, BlockSet::range(0, q.p))});
    },
};

}  // namespace hopbine::registered
