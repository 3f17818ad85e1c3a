// Linear: all messages in flight together.
#include "combinators/symmetric.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm alltoall_linear{
    .collective = Collective::alltoall,
    .name = "linear",
    .summary = "all messages at once",
    .paper = "MPI libraries",
    .section = "basic linear",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p > 1); },
    .make = [](const Problem& q) -> SchedulePtr {
        return all_to_all_at_once(q.p,
                                  [p = q.p](int source, int to) { return Block{source} * p + to; });
    },
};

}  // namespace hopbine::registered
