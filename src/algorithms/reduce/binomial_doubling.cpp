// Distance-doubling binomial tree, from the leaves to the root.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_binomial_doubling{
    .collective = Collective::reduce,
    .name = "binomial_doubling",
    .summary = "distance-doubling binomial tree, leaves to root",
    .paper = "Bine SC'25",
    .section = "2.1",
    .needs_commutative = true,
    .claim = claims::tree,
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(tree_bcast(binomial_doubling(q.p), q.root), Op::reduce);
    },
};

}  // namespace hopbine::registered
