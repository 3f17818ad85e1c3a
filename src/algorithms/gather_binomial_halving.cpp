// Distance-halving binomial tree, from the leaves to the root.
#include "core/algorithm.hpp"
#include "core/claims.hpp"
#include "core/combinators.hpp"
#include "core/tree.hpp"

namespace hopbine::registered {

Algorithm gather_binomial_halving{
    .collective = Collective::gather,
    .name = "binomial_halving",
    .summary = "distance-halving binomial tree",
    .paper = "Bine SC'25",
    .section = "4.1",
    .claim = claims::binomial_scatter,
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(tree_scatter(binomial_halving(q.p), q.root), Mode::copy);
    },
};

}  // namespace hopbine::registered
