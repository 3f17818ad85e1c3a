// All vectors to rank 0, and the result back.
#include "combinators/combinators.hpp"
#include "combinators/symmetric.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allreduce_linear{
    .collective = Collective::allreduce,
    .name = "linear",
    .summary = "all to rank 0 at once, then rank 0 to all",
    .paper = "MPI libraries",
    .section = "basic linear",
    .by_name_only = true,
    .claim = [](const Problem& q) { return Claim{2 * (q.p > 1), 2 * std::int64_t{q.p - 1} * q.p}; },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr down =
            root_to_all_at_once(q.p, 0, [p = q.p](int) { return BlockSet::range(0, p); });
        return sequence({reversed(down, Op::reduce), down});
    },
};

}  // namespace hopbine::registered
