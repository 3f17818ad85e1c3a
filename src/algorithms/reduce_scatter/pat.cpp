// Parallel aggregated trees of NCCL, the time reversal of the allgather: near ranks first.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm allgather_pat;

Algorithm reduce_scatter_pat{
    .collective = Collective::reduce_scatter,
    .summary = "binomial trees to every rank, near ranks first, some trees in one message",
    .needs_commutative = true,
    .dual = &dual_of<allgather_pat>,
};

}  // namespace hopbine::registered
