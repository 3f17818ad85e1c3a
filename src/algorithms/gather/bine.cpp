// Distance-halving Bine tree, backwards (Sec. 4.1).
#include "families/bine/bine.hpp"

#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm gather_bine{
    .collective = Collective::gather,
    .name = "bine",
    .summary = "distance-halving Bine tree",
    .paper = "Bine SC'25",
    .section = "4.1",
    .note = "any p without folding",
    .claim = claims::scattering_tree,
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(tree_scatter(bine::halving_tree(q.p), q.root), Op::copy);
    },
};

}  // namespace hopbine::registered
