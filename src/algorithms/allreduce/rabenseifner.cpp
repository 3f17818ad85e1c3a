// Rabenseifner: vector-halving distance-doubling reduce_scatter, then its time reversal.
#include "combinators/combinators.hpp"
#include "families/exchange/butterfly.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm allreduce_rabenseifner{
    .collective = Collective::allreduce,
    .name = "rabenseifner",
    .summary = "reduce_scatter and allgather on a hypercube",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.5",
    .needs_commutative = true,
    .note = "p not a power of two folds, which moves whole vectors of the ranks folded on",
    .claim =
        [](const Problem& q) {
            const std::int64_t core = std::int64_t{1} << floor_log2(q.p), extra = q.p - core;
            return Claim{2 * floor_log2(q.p) + (extra ? 2 : 0),
                         2 * (core - 1) * q.p + 2 * extra * q.p};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr half = butterfly::doubling(butterfly::even(1 << floor_log2(q.p), q.p));
        return folded(sequence({half, reversed(half, Op::copy)}), q.p);
    },
};

}  // namespace hopbine::registered
