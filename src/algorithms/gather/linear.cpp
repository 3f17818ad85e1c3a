// Every rank sends its block to the root.
#include "combinators/combinators.hpp"
#include "combinators/symmetric.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm gather_linear{
    .collective = Collective::gather,
    .name = "linear",
    .summary = "all to root at once",
    .paper = "MPI libraries",
    .section = "basic linear",
    .claim = [](const Problem& q) { return Claim{q.p > 1, q.p - 1}; },
    .make = [](const Problem& q) -> SchedulePtr {
        const auto own = [](int rank) { return BlockSet::single(rank); };
        return reversed(root_to_all_at_once(q.p, q.root, own), Op::copy);
    },
};

}  // namespace hopbine::registered
