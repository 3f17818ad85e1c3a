// Recursive-halving reduce_scatter with distance doubling, then a binomial gather to the root.
#include "core/algorithm.hpp"
#include "core/combinators.hpp"
#include "core/hypercube.hpp"
#include "core/numbers.hpp"

namespace hopbine::registered {

Algorithm reduce_rabenseifner{
    .collective = Collective::reduce,
    .name = "rabenseifner",
    .summary = "reduce_scatter, then binomial gather",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.4",
    .ranks = Ranks::power_of_two,
    .needs_commutative = true,
    .claim = [](const Problem& q) {
        const int S = ceil_log2(q.p);
        return Claim{2 * S, std::int64_t{q.p} * (q.p - 1) + std::int64_t{q.p} * S / 2};
    },
    .make = [](const Problem& q) -> SchedulePtr {
        const auto starts = hypercube::even(q.p, q.p);
        return sequence({hypercube::doubling(starts), hypercube::gather(starts, q.root)});
    },
};

}  // namespace hopbine::registered
