// Recursive doubling, nearest partner first.
#include "core/algorithm.hpp"
#include "core/claims.hpp"
#include "core/combinators.hpp"
#include "core/hypercube.hpp"

namespace hopbine::registered {

Algorithm allgather_recursive_doubling{
    .collective = Collective::allgather,
    .name = "recursive_doubling",
    .summary = "recursive doubling",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.1",
    .ranks = Ranks::power_of_two,
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, ceil_log2(q.p)); },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(hypercube::halving(hypercube::even(q.p, q.p)), Mode::copy);
    },
};

}  // namespace hopbine::registered
