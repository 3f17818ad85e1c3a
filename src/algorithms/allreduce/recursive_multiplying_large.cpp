// Reduce_scatter and allgather by recursive multiplying: Rabenseifner's algorithm of any radix.
#include "combinators/combinators.hpp"
#include "families/exchange/recursive_multiplying.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm allreduce_recursive_multiplying_large{
    .collective = Collective::allreduce,
    .name = "recursive_multiplying_large",
    .summary = "reduce_scatter and allgather by recursive multiplying",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "IV",
    .needs_commutative = true,
    .parameters = {radix::of_exchange, radix::of_last_exchange},
    .note = "p no power of k: parts of unequal size, no further step",
    .claim =
        [](const Problem& q) {
            return Claim{2 * Division::of(q).steps(), 2 * std::int64_t{q.p} * (q.p - 1)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr half = multiplying_near_first(Division::of(q));
        return sequence({half, reversed(half, Op::copy)});
    },
};

}  // namespace hopbine::registered
