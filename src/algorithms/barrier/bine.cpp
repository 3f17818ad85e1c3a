// Bine tree from the leaves to rank 0, then back.
#include "families/bine/bine.hpp"

#include "combinators/combinators.hpp"
#include "families/claims.hpp"

namespace hopbine::registered {

Algorithm barrier_bine{
    .collective = Collective::barrier,
    .name = "bine",
    .summary = "distance-halving Bine tree, leaves to root and back",
    .paper = "Bine SC'25",
    .section = "2.3",
    .note = "any p without folding",
    .claim =
        [](const Problem& q) {
            return Claim{2 * claims::tree(q).steps, 2 * std::int64_t{q.p - 1}};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr down = bine::halving_bcast(q.p, 0);
        return signals(sequence({reversed(down, Op::reduce), down}));
    },
};

}  // namespace hopbine::registered
