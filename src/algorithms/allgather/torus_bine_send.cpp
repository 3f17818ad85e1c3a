// Torus Bine butterfly in DFS postorder, with one extra exchange that reorders blocks (App. D.2).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_torus_bine_send;

Algorithm allgather_torus_bine_send{
    .collective = Collective::allgather,
    .dual = &dual_of<reduce_scatter_torus_bine_send>,
};

}  // namespace hopbine::registered
