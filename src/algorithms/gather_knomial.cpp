// k-nomial tree: every message carries the blocks of a subtree, leaves to root (Sec. III-C, Fig. 2).
#include "core/claims.hpp"
#include "core/combinators.hpp"
#include "core/tree.hpp"

namespace hopbine::registered {

Algorithm gather_knomial{
    .collective = Collective::gather,
    .name = "knomial",
    .summary = "k-nomial tree, leaves to root",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .parameters = {{"k", 2, 1 << 20, 4, "radix: k - 1 messages of a level are in flight together; p or more makes it flat"}},
    .claim = [](const Problem& q) {
        const int k = static_cast<int>(q.get("k"));
        return claims::knomial_scatter(q.p, k);
    },
    .make = [](const Problem& q) -> SchedulePtr {
        const int k = static_cast<int>(q.get("k"));
        return reversed(tree_scatter(knomial(q.p, k), q.root), Mode::copy);
    },
};

}  // namespace hopbine::registered
