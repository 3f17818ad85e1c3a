// Binomial tree, largest distance first, as MPICH's broadcast.
#include "core/algorithm.hpp"
#include "core/numbers.hpp"
#include "core/tree.hpp"

namespace hopbine::registered {

Algorithm bcast_binomial_halving{
    .collective = Collective::bcast,
    .name = "binomial_halving",
    .summary = "binomial tree, distance-halving (MPICH's)",
    .paper = "Bine SC'25",
    .section = "2.1",
    .claim = [](const Problem& q) { return Claim{ceil_log2(q.p), std::int64_t{q.p - 1} * q.p}; },
    .make = [](const Problem& q) { return tree_bcast(binomial_halving(q.p), q.root); },
};

}  // namespace hopbine::registered
