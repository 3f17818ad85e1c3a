// Distance-halving Bine tree with the whole vector in every message (Sec. 2).
#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm bcast_bine_small{
    .collective = Collective::bcast,
    .name = "bine_small",
    .summary = "distance-halving Bine tree",
    .paper = "Bine SC'25",
    .section = "2.3, 4.5",
    .note = "any p without folding: the sign of the distance follows the depth in the tree",
    .claim = claims::tree,
    .make = [](const Problem& q) { return bine::halving_bcast(q.p, q.root); },
};

}  // namespace hopbine::registered
