// Swing allgather, the time reversal of the reduce_scatter (Sec. 3.1.1, 4).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_swing;

Algorithm allgather_swing{
    .collective = Collective::allgather,
    .summary = "Swing allgather on a torus, all ports at once",
    .dual = &dual_of<reduce_scatter_swing>,
};

}  // namespace hopbine::registered
