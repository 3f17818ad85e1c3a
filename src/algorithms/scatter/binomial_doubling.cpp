// Distance-doubling binomial tree; a message carries the blocks of a subtree.
#include "families/claims.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm scatter_binomial_doubling{
    .collective = Collective::scatter,
    .name = "binomial_doubling",
    .summary = "distance-doubling binomial tree",
    .paper = "Johnsson, Ho ToC'89",
    .section = "spanning binomial tree",
    .claim = claims::binomial_scatter,
    .make = [](const Problem& q) -> SchedulePtr {
        return tree_scatter(binomial_doubling(q.p), q.root);
    },
};

}  // namespace hopbine::registered
