// Pairwise exchange: every rank sends one block to the rank s + 1 ahead in step s.
#include "combinators/symmetric.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm alltoall_pairwise{
    .collective = Collective::alltoall,
    .name = "pairwise",
    .summary = "one exchange per step",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.3",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p - 1); },
    .make = [](const Problem& q) -> SchedulePtr {
        return shifts(
            q.p, q.p - 1, Op::copy, [](int s) { return s + 1; },
            [p = q.p](int rank, int s) {
                return BlockSet::single(Block{rank} * p + mod(rank + s + 1, p));
            });
    },
};

}  // namespace hopbine::registered
