// k-nomial tree: whole vectors from the leaves up (Sec. III-C).
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm reduce_knomial{
    .collective = Collective::reduce,
    .name = "knomial",
    .summary = "k-nomial tree, leaves to root",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .needs_commutative = true,
    .parameters = {radix::of_tree},
    .claim =
        [](const Problem& q) {
            return Claim{ceil_log(radix::k(q), q.p), std::int64_t{q.p - 1} * q.p};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(tree_bcast(knomial(q.p, radix::k(q)), q.root), Op::reduce);
    },
};

}  // namespace hopbine::registered
