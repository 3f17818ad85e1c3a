// Bine butterfly, one message per run of blocks (Sec. 4.3.1).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_bine_block_by_block;

Algorithm allgather_bine_block_by_block{
    .collective = Collective::allgather,
    .dual = &dual_of<reduce_scatter_bine_block_by_block>,
};

}  // namespace hopbine::registered
