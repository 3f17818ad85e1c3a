// k-nomial scatter, then allgather by recursive multiplying (Sec. IV-C).
#include "families/exchange/recursive_multiplying.hpp"

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm bcast_recursive_multiplying{
    .collective = Collective::bcast,
    .name = "recursive_multiplying",
    .summary = "k-nomial scatter, recursive-multiplying allgather",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "IV",
    .parameters = {radix::of_exchange, radix::of_last_exchange},
    .note =
        "p no power of k: parts of unequal size, no further step; blocks that a rank has are sent "
        "to it again",
    .claim =
        [](const Problem& q) {
            const Division d = Division::of(q);
            const Claim scatter = claims::knomial_scatter(q.p, d.k);
            return Claim{scatter.steps + d.steps(), scatter.blocks + std::int64_t{q.p} * (q.p - 1)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const Division d = Division::of(q);
        return rotated(sequence({tree_scatter(knomial(q.p, d.k), 0), multiplying_allgather(d)}),
                       q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
