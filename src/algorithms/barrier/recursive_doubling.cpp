// Recursive doubling of signals.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/exchange/butterfly.hpp"

namespace hopbine::registered {

Algorithm barrier_recursive_doubling{
    .collective = Collective::barrier,
    .name = "recursive_doubling",
    .summary = "pairs of ranks signal each other at doubling distances",
    .paper = "Brooks IJPP'86",
    .section = "butterfly barrier",
    .note = "p not a power of two folds",
    .claim =
        [](const Problem& q) {
            const Claim c = claims::folded_butterfly(q);
            return Claim{c.steps, c.blocks / q.p};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return signals(folded(butterfly::whole_vector(1 << floor_log2(q.p), q.p), q.p));
    },
};

}  // namespace hopbine::registered
