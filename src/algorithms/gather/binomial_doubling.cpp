// Distance-doubling binomial tree, from the leaves to the root.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm gather_binomial_doubling{
    .collective = Collective::gather,
    .name = "binomial_doubling",
    .summary = "distance-doubling binomial tree",
    .paper = "Bine SC'25",
    .section = "4.1",
    .claim = claims::binomial_scatter,
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(tree_scatter(binomial_doubling(q.p), q.root), Op::copy);
    },
};

}  // namespace hopbine::registered
