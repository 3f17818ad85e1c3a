// Bine butterfly on contiguous blocks, with one extra exchange that reorders them (Sec. 4.3.1).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_bine_send;

Algorithm allgather_bine_send{
    .collective = Collective::allgather,
    .dual = &dual_of<reduce_scatter_bine_send>,
};

}  // namespace hopbine::registered
