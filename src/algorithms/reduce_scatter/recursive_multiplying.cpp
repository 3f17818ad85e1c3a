// Recursive multiplying backwards in time, farthest partners first.
#include "families/exchange/recursive_multiplying.hpp"

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_recursive_multiplying{
    .collective = Collective::reduce_scatter,
    .name = "recursive_multiplying",
    .summary = "recursive halving of any radix",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "IV",
    .needs_commutative = true,
    .parameters = {radix::of_exchange, radix::of_last_exchange},
    .note = "p no power of k: parts of unequal size, no further step",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, Division::of(q).steps()); },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(multiplying_allgather(Division::of(q)), Op::reduce);
    },
};

}  // namespace hopbine::registered
