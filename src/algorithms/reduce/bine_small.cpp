// Distance-halving Bine tree with whole vectors, from the leaves to the root (Sec. 4.5).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_bine_small;

Algorithm reduce_bine_small{
    .collective = Collective::reduce,
    .summary = "distance-halving Bine tree, leaves to root",
    .section = "4.5",
    .needs_commutative = true,
    .note = "any p without folding",
    .dual = &dual_of<bcast_bine_small>,
};

}  // namespace hopbine::registered
