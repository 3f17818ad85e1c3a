// Bine butterfly in the opposite order: blocks are one run on the circle, two messages at most
// (Sec. 4.3.1).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_bine_two_transmissions;

Algorithm allgather_bine_two_transmissions{
    .collective = Collective::allgather,
    .summary = "Bine butterfly in distance-doubling order, at most two messages a step",
    .dual = &dual_of<reduce_scatter_bine_two_transmissions>,
};

}  // namespace hopbine::registered
