// Pipelined chains side by side below the root, as Open MPI's chain, which has four.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/radix.hpp"
#include "families/tree/pipelined_trees.hpp"

namespace hopbine::registered {

Algorithm bcast_chains{
    .collective = Collective::bcast,
    .name = "chains",
    .summary = "segments along several chains of ranks",
    .paper = "MPI libraries",
    .section = "chain",
    .parameters = {radix::of_chains, segments::parameter},
    .by_name_only = true,
    .claim =
        [](const Problem& q) {
            return segments::claim(q, chains_steps(q.p, radix::k(q)), std::int64_t{q.p - 1});
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr one = tree_bcast(chains(q.p, radix::k(q)), 0);
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
