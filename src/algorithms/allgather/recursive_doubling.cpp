// Recursive doubling, nearest partner first.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/exchange/butterfly.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allgather_recursive_doubling{
    .collective = Collective::allgather,
    .name = "recursive_doubling",
    .summary = "recursive doubling",
    .paper = "Johnsson, Ho ToC'89",
    .section = "all-to-all broadcasting",
    .ranks = Ranks::power_of_two,
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, ceil_log2(q.p)); },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(butterfly::halving(butterfly::even(q.p, q.p)), Op::copy);
    },
};

}  // namespace hopbine::registered
