// Linear: every rank sends its block to all others at once.
#include "combinators/symmetric.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allgather_linear{
    .collective = Collective::allgather,
    .name = "linear",
    .summary = "all to all at once",
    .paper = "MPI libraries",
    .section = "basic linear",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p > 1); },
    .make = [](const Problem& q) -> SchedulePtr {
        return all_to_all_at_once(q.p, [](int source, int) { return source; });
    },
};

}  // namespace hopbine::registered
