// Reduce_scatter on a circulant graph, the time reversal of the allgather.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm allgather_circulant;

Algorithm reduce_scatter_circulant{
    .collective = Collective::reduce_scatter,
    .paper = "Träff arXiv:2410.14234",
    .section = "reduce-scatter",
    .needs_commutative = true,
    .dual = &dual_of<allgather_circulant>,
};

}  // namespace hopbine::registered
