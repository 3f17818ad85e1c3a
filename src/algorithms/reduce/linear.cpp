// The root receives from everybody and combines upwards, then downwards: rank order is kept.
#include "combinators/combinators.hpp"
#include "combinators/symmetric.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_linear{
    .collective = Collective::reduce,
    .name = "linear",
    .summary = "all to root at once, in rank order",
    .paper = "MPI libraries",
    .section = "basic linear",
    .claim = [](const Problem& q) { return Claim{q.p > 1, std::int64_t{q.p - 1} * q.p}; },
    .make = [](const Problem& q) -> SchedulePtr {
        const auto whole = [p = q.p](int) { return BlockSet::range(0, p); };
        return reversed(root_to_all_at_once(q.p, q.root, whole), Op::reduce);
    },
};

}  // namespace hopbine::registered
