// Bine butterfly on a permuted buffer with block b at nu(b) (Sec. 4.3.1, Fig. 8). Every message is
// one run.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_bine_permute;

Algorithm allgather_bine_permute{
    .collective = Collective::allgather,
    .dual = &dual_of<reduce_scatter_bine_permute>,
};

}  // namespace hopbine::registered
