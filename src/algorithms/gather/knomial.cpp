// k-nomial tree: every message carries the blocks of a subtree, leaves to root (Sec. III-C, Fig.
// 2).
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm gather_knomial{
    .collective = Collective::gather,
    .name = "knomial",
    .summary = "k-nomial tree, leaves to root",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .parameters = {radix::of_tree},
    .claim = [](const Problem& q) { return claims::knomial_scatter(q.p, radix::k(q)); },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(tree_scatter(knomial(q.p, radix::k(q)), q.root), Op::copy);
    },
};

}  // namespace hopbine::registered
