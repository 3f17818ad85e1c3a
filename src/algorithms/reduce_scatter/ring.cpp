// Ring: every block collects contributions on its way around the ring.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm allgather_ring;

Algorithm reduce_scatter_ring{
    .collective = Collective::reduce_scatter,
    .paper = "MPI libraries",
    .section = "ring",
    .needs_commutative = true,
    .dual = &dual_of<allgather_ring>,
};

}  // namespace hopbine::registered
