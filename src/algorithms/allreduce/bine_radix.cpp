// Bine reduce_scatter and allgather with the partners of several steps in flight together.
#include "combinators/combinators.hpp"
#include "families/bine/bine.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

namespace {

int at_once(const Problem& q) { return static_cast<int>(q.get("steps")); }

}  // namespace

Algorithm allreduce_bine_radix{
    .collective = Collective::allreduce,
    .name = "bine_radix",
    .summary = "Bine reduce_scatter and allgather of radix 2^steps",
    .paper = "hopbine, after Bine SC'25 and Wilkins et al. CLUSTER'23",
    .section = "4.4; IV",
    .needs_commutative = true,
    .parameters =
        {{"steps", Kind::radix, 1, 4, 2,
          "steps of the butterfly taken at once: 2^steps - 1 partners in flight together"}},
    .note =
        "even p without extra volume; odd p: p - 1 ranks, the last one exchanges single blocks "
        "directly",
    .claim =
        [](const Problem& q) {
            return Claim{2 * ceil_div(bine::steps(q.p), at_once(q)),
                         2 * std::int64_t{q.p} * (q.p - 1)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr half =
            bine::reduce_scatter(q.p, bine::Order::doubling, power_of_two(q.p), at_once(q));
        return sequence({half, reversed(half, Op::copy)});
    },
};

}  // namespace hopbine::registered
