// The large Bine broadcast on every port of a torus at once (Sec. 4.5, App. D), reversed in time.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_torus_bine_large;

Algorithm reduce_torus_bine_reversed{
    .collective = Collective::reduce,
    .name = "torus_bine_reversed",
    .summary =
        "the large Bine broadcast on a torus reversed in time: (p - 1) n bytes in all, the fewest",
    .needs_commutative = true,
    .note =
        "fewer bytes than torus_bine_large, but twice the additions on the longest path; odd "
        "extents: the last coordinate exchanges directly",
    .dual = &dual_of<bcast_torus_bine_large>,
};

}  // namespace hopbine::registered
