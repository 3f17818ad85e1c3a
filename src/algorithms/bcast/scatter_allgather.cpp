// Binomial scatter, then recursive-doubling allgather, as in MPICH and Open MPI. Ranks receive
// again blocks that they have from the scatter.
#include "combinators/combinators.hpp"
#include "families/exchange/butterfly.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm bcast_scatter_allgather{
    .collective = Collective::bcast,
    .name = "scatter_allgather",
    .summary = "binomial scatter, recursive-doubling allgather",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.2",
    .ranks = Ranks::power_of_two,
    .claim =
        [](const Problem& q) {
            const int S = ceil_log2(q.p);
            return Claim{2 * S, std::int64_t{q.p} * (q.p - 1) + std::int64_t{q.p} * S / 2};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr scatter = tree_scatter(binomial_halving(q.p), 0);
        const SchedulePtr allgather =
            reversed(butterfly::halving(butterfly::even(q.p, q.p)), Op::copy);
        return rotated(sequence({scatter, allgather}), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
