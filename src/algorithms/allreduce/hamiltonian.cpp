// Rings in both directions on edge-disjoint Hamiltonian cycles of a torus (Swing Sec. 2.3.1).
#include "families/torus/hamiltonian.hpp"

#include <numeric>

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/ring/ring.hpp"

namespace hopbine::registered {

/// Number of parts: two per cycle, one in each direction.
static int parts(const Problem& q) { return 2 * static_cast<int>(torus::rings(q.shape).size()); }

Algorithm allreduce_hamiltonian{
    .collective = Collective::allreduce,
    .name = "hamiltonian",
    .summary =
        "rings both ways on two edge-disjoint Hamiltonian cycles of a 2D torus (one cycle in one "
        "dimension)",
    .paper = "Swing NSDI'24",
    .section = "2.3.1",
    .needs_commutative = true,
    .follows_shape = true,
    .note = "2D: extents r >= c with r = c k and gcd(r, c - 1) = 1",
    .refuses = [](const Problem& q) { return torus::no_rings(q.shape); },
    .claim = [](const Problem& q) { return claims::all_parts_once(q, 2 * (q.p - 1), parts(q), 2); },
    .make = [](const Problem& q) -> SchedulePtr {
        std::vector<torus::Ordered> all;
        const SchedulePtr both = sequence({ring_reduce_scatter(q.p), ring_allgather(q.p)});
        for (const std::vector<int>& ring : torus::rings(q.shape))
            for (const auto& order : {ring, std::vector<int>(ring.rbegin(), ring.rend())})
                all.push_back({both, order});
        return torus::on_channels(std::move(all), q.collective, q.p);
    },
};

}  // namespace hopbine::registered
