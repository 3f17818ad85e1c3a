// Pipelined k-nomial tree.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm bcast_knomial_pipelined{
    .collective = Collective::bcast,
    .name = "knomial_pipelined",
    .summary = "segments down a k-nomial tree",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .parameters = {radix::of_tree, segments::parameter},
    .claim =
        [](const Problem& q) {
            return segments::claim(q, ceil_log(radix::k(q), q.p), std::int64_t{q.p - 1});
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr one = tree_bcast(knomial(q.p, radix::k(q)), 0);
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
