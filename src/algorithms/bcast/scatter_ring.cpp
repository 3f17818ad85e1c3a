// Binomial scatter, then ring allgather, as in MPICH and Open MPI.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/ring/ring.hpp"
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm bcast_scatter_ring{
    .collective = Collective::bcast,
    .name = "scatter_ring",
    .summary = "binomial scatter, ring allgather",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.2",
    .claim =
        [](const Problem& q) {
            const Claim scatter = claims::binomial_scatter(q);
            return Claim{scatter.steps + q.p - 1, scatter.blocks + std::int64_t{q.p} * (q.p - 1)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return rotated(sequence({tree_scatter(binomial_halving(q.p), 0), ring_allgather(q.p)}), q.p,
                       q.root, false);
    },
};

}  // namespace hopbine::registered
