// Pipelined reduction on a circulant graph, the time reversal of the broadcast (arXiv 2407.18004).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_circulant;

Algorithm reduce_circulant{
    .collective = Collective::reduce,
    .paper = "Träff arXiv:2407.18004",
    .section = "reversed broadcast",
    .needs_commutative = true,
    .dual = &dual_of<bcast_circulant>,
};

}  // namespace hopbine::registered
