// Bine butterfly on a working buffer with block b at nu(b), so that every message is one run
// (Sec. 4.3.1, Fig. 8).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_bine_permute;

Algorithm allgather_bine_permute{
    .collective = Collective::allgather,
    .dual = &dual_of<reduce_scatter_bine_permute>,
};

}  // namespace hopbine::registered
