// The large Bine broadcast (Sec. 4.5), reversed in time: a reduce_scatter whose last additions wait
// for the gather.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_bine_large;

Algorithm reduce_bine_reversed{
    .collective = Collective::reduce,
    .name = "bine_reversed",
    .summary = "the large Bine broadcast reversed in time: (p - 1) n bytes in all, the fewest",
    .needs_commutative = true,
    .note =
        "fewer bytes than bine_large, but twice the additions on the longest path; odd p: p - 1 "
        "ranks, the last one served directly",
    .dual = &dual_of<bcast_bine_large>,
};

}  // namespace hopbine::registered
