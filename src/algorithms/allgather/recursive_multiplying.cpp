// Recursive multiplying, nearest partners first (Sec. IV-C, Fig. 4).
#include "families/exchange/recursive_multiplying.hpp"

#include "families/claims.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm allgather_recursive_multiplying{
    .collective = Collective::allgather,
    .name = "recursive_multiplying",
    .summary = "recursive doubling of any radix",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "IV",
    .parameters = {radix::of_exchange, radix::of_last_exchange},
    .note = "p no power of k: parts of unequal size, no further step",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, Division::of(q).steps()); },
    .make = [](const Problem& q) { return multiplying_allgather(Division::of(q)); },
};

}  // namespace hopbine::registered
