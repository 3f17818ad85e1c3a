// Pairwise exchange: in step s every rank sends one block to its owner, s + 1 ranks ahead.
#include "combinators/symmetric.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_pairwise{
    .collective = Collective::reduce_scatter,
    .name = "pairwise",
    .summary = "one block straight to its owner per step",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.4",
    .needs_commutative = true,
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p - 1); },
    .make = [](const Problem& q) -> SchedulePtr {
        return shifts_of(
            q.p, q.p - 1, Op::reduce, [](int) { return 1; }, [](int s, int) { return s + 1; },
            [p = q.p](int rank, int s, int) { return BlockSet::single(mod(rank + s + 1, p)); },
            [](int, int) { return 1; }, {.complete = Op::reduce});
    },
};

}  // namespace hopbine::registered
