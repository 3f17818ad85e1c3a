// Distance-doubling Bine butterfly, in which blocks form one circular run (Sec. 4.3.1). For p a
// power of two a step takes at most two messages.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_bine_two_transmissions;

Algorithm allgather_bine_two_transmissions{
    .collective = Collective::allgather,
    .summary = "Bine butterfly in distance-doubling order, at most two messages a step",
    .dual = &dual_of<reduce_scatter_bine_two_transmissions>,
};

}  // namespace hopbine::registered
