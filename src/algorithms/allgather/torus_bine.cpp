// Torus Bine allgather, the time reversal of the reduce_scatter (App. D).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_torus_bine;

Algorithm allgather_torus_bine{
    .collective = Collective::allgather,
    .dual = &dual_of<reduce_scatter_torus_bine>,
};

}  // namespace hopbine::registered
