// k-ring backwards in time.
#include "families/ring/kring.hpp"

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_kring{
    .collective = Collective::reduce_scatter,
    .name = "kring",
    .summary = "ring of rings",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "V",
    .needs_commutative = true,
    .parameters = {radix::of_ring},
    .follows_placement = true,
    .note = "groups may differ in size; the smaller wait for the largest",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, Rings::of(q).steps()); },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(kring_allgather(Rings::of(q)), Op::reduce);
    },
};

}  // namespace hopbine::registered
