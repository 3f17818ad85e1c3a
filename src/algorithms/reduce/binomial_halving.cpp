// Distance-halving binomial tree, from the leaves to the root.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_binomial_halving{
    .collective = Collective::reduce,
    .name = "binomial_halving",
    .summary = "distance-halving binomial tree, leaves to root",
    .paper = "Bine SC'25",
    .section = "2.1",
    .needs_commutative = true,
    .claim = claims::tree,
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(tree_bcast(binomial_halving(q.p), q.root), Op::reduce);
    },
};

}  // namespace hopbine::registered
