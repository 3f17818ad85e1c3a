// Torus Bine butterfly on a buffer in DFS postorder (App. D.2). Every message is one run.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_torus_bine_permute;

Algorithm allgather_torus_bine_permute{
    .collective = Collective::allgather,
    .dual = &dual_of<reduce_scatter_torus_bine_permute>,
};

}  // namespace hopbine::registered
