// Distance-halving Bine tree, in which a subtree is one circular run of ranks (Sec. 4.2).
#include "families/bine/bine.hpp"

#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm scatter_bine{
    .collective = Collective::scatter,
    .name = "bine",
    .summary = "distance-halving Bine tree",
    .paper = "Bine SC'25",
    .section = "4.2",
    .note = "any p without folding",
    .claim = claims::scattering_tree,
    .make = [](const Problem& q) -> SchedulePtr { return bine::halving_scatter(q.p, q.root); },
};

}  // namespace hopbine::registered
