// k-ring reduce_scatter, then k-ring allgather (Sec. V-D).
#include "families/ring/kring.hpp"

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm allreduce_kring{
    .collective = Collective::allreduce,
    .name = "kring",
    .summary = "reduce_scatter and allgather on rings of rings",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "V",
    .needs_commutative = true,
    .parameters = {radix::of_ring},
    .follows_placement = true,
    .note = "groups may differ in size; the smaller wait for the largest",
    .claim =
        [](const Problem& q) {
            return Claim{2 * Rings::of(q).steps(), 2 * std::int64_t{q.p} * (q.p - 1)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr around = kring_allgather(Rings::of(q));
        return sequence({reversed(around, Op::reduce), around});
    },
};

}  // namespace hopbine::registered
