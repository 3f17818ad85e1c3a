// Recursive doubling, bandwidth-optimised for tori: vector halving, distance doubling, one dimension after another in turn (Sack and Gropp; Swing Sec. 2.3.3).
#include "core/claims.hpp"
#include "core/combinators.hpp"
#include "core/hypercube.hpp"
#include "core/torus.hpp"

namespace hopbine::registered {

Algorithm allreduce_torus_doubling{
    .collective = Collective::allreduce,
    .name = "torus_doubling",
    .summary = "Rabenseifner's algorithm on a torus, dimensions taking turns, one port",
    .paper = "Swing NSDI'24",
    .section = "2.3.3",
    .ranks = Ranks::power_of_two,
    .needs_commutative = true,
    .follows_shape = true,
    .claim = [](const Problem& q) { return claims::all_parts_once(q, 2 * torus::steps(q.shape, ceil_log2), 1, 2); },
    .make = [](const Problem& q) -> SchedulePtr {
        const torus::Line line = [](int n) { return hypercube::doubling(hypercube::even(n, n)); };
        const SchedulePtr half = torus::reduce_scatter(q.shape, line, torus::Turns::step_by_step, 0);
        return sequence({half, reversed(half, Mode::copy)});
    },
};

}  // namespace hopbine::registered
