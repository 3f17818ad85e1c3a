// Recursive doubling, latency-optimal, on a torus: whole vectors, one dimension after another in turn (Swing Sec. 2.3.2).
#include "core/algorithm.hpp"
#include "core/hypercube.hpp"
#include "core/numbers.hpp"
#include "core/torus.hpp"

namespace hopbine::registered {

Algorithm allreduce_torus_doubling_small{
    .collective = Collective::allreduce,
    .name = "torus_doubling_small",
    .summary = "recursive doubling of whole vectors on a torus, dimensions taking turns, one port",
    .paper = "Swing NSDI'24",
    .section = "2.3.2",
    .ranks = Ranks::power_of_two,
    .needs_commutative = true,
    .follows_shape = true,
    .claim = [](const Problem& q) {
        const int steps = torus::steps(q.shape, ceil_log2);
        return Claim{steps, std::int64_t{q.p} * q.p * steps};
    },
    .make = [](const Problem& q) -> SchedulePtr {
        return torus::whole_vectors(q.shape, [](int n) { return hypercube::whole_vector(n, n); }, 0);
    },
};

}  // namespace hopbine::registered
