// Everybody sends its block to everybody at once.
#include "core/algorithm.hpp"
#include "core/claims.hpp"
#include "core/stepwise.hpp"

namespace hopbine::registered {

Algorithm allgather_linear{
    .collective = Collective::allgather,
    .name = "linear",
    .summary = "all to all at once",
    .paper = "MPI libraries",
    .section = "basic linear",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p > 1); },
    .make = [](const Problem& q) -> SchedulePtr {
        return all_to_all_at_once(q.p, [](int source, int) { return BlockSet::single(source); });
    },
};

}  // namespace hopbine::registered
