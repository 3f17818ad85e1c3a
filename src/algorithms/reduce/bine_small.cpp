// Distance-halving Bine tree, backwards: the vectors come up the tree (Sec. 4.5).
#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_bine_small{
    .collective = Collective::reduce,
    .name = "bine_small",
    .summary = "distance-halving Bine tree, leaves to root",
    .paper = "Bine SC'25",
    .section = "4.5",
    .needs_commutative = true,
    .note = "any p without folding",
    .claim = claims::tree,
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(tree_bcast(bine::halving_tree(q.p), q.root), Op::reduce);
    },
};

}  // namespace hopbine::registered
