// Linear: the root sends every rank its block.
#include "combinators/symmetric.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm scatter_linear{
    .collective = Collective::scatter,
    .name = "linear",
    .summary = "root to all at once",
    .paper = "MPI libraries",
    .section = "basic linear",
    .claim = [](const Problem& q) { return Claim{q.p > 1, q.p - 1}; },
    .make = [](const Problem& q) -> SchedulePtr {
        return root_to_all_at_once(q.p, q.root, [](int rank) { return BlockSet::single(rank); });
    },
};

}  // namespace hopbine::registered
