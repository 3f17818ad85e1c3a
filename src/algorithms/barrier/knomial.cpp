// k-nomial tree from the leaves to rank 0, then back: the fewest signals that a barrier can do
// with.
#include "combinators/combinators.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm barrier_knomial{
    .collective = Collective::barrier,
    .name = "knomial",
    .summary = "k-nomial tree, leaves to root and back; flat up to k ranks",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "III",
    .parameters = {radix::of_signal_tree},
    .claim =
        [](const Problem& q) {
            return Claim{2 * ceil_log(radix::k(q), q.p), 2 * std::int64_t{q.p - 1}};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr down = tree_bcast(knomial(q.p, radix::k(q)), 0);
        return signals(sequence({reversed(down, Op::reduce), down}));
    },
};

}  // namespace hopbine::registered
