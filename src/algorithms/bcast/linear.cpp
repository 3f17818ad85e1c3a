// Linear: the root sends to all other ranks at once.
#include "combinators/symmetric.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm bcast_linear{
    .collective = Collective::bcast,
    .name = "linear",
    .summary = "root to all at once",
    .paper = "MPI libraries",
    .section = "basic linear",
    .claim = [](const Problem& q) { return Claim{q.p > 1, std::int64_t{q.p - 1} * q.p}; },
    .make = [](const Problem& q) -> SchedulePtr {
        return root_to_all_at_once(q.p, q.root, [p = q.p](int) { return BlockSet::range(0, p); });
    },
};

}  // namespace hopbine::registered
