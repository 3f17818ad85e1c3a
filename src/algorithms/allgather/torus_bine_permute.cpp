// Torus Bine on a working buffer in DFS postorder, so that every message is one run (App. D.2).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_torus_bine_permute;

Algorithm allgather_torus_bine_permute{
    .collective = Collective::allgather,
    .dual = &dual_of<reduce_scatter_torus_bine_permute>,
};

}  // namespace hopbine::registered
