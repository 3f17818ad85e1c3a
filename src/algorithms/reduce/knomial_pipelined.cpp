// Pipelined k-nomial tree, backwards.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm reduce_knomial_pipelined{
    .collective = Collective::reduce,
    .name = "knomial_pipelined",
    .summary = "segments up a k-nomial tree",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .needs_commutative = true,
    .parameters = {radix::of_tree, segments::parameter},
    .claim =
        [](const Problem& q) {
            return segments::claim(q, ceil_log(radix::k(q), q.p), std::int64_t{q.p - 1});
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr one = reversed(tree_bcast(knomial(q.p, radix::k(q)), 0), Op::reduce);
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
