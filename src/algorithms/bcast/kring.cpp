// Binomial scatter, then k-ring allgather (Sec. V-D).
#include "families/ring/kring.hpp"

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm bcast_kring{
    .collective = Collective::bcast,
    .name = "kring",
    .summary = "binomial scatter, k-ring allgather",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "V",
    .parameters = {radix::of_ring},
    .follows_placement = true,
    .note = "groups may differ in size; the smaller wait for the largest",
    .claim =
        [](const Problem& q) {
            const Claim scatter = claims::binomial_scatter(q);
            return Claim{scatter.steps + Rings::of(q).steps(),
                         scatter.blocks + std::int64_t{q.p} * (q.p - 1)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return rotated(sequence({tree_scatter(binomial_halving(q.p), 0),
                                 kring_allgather(Rings::of(q, q.root))}),
                       q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
