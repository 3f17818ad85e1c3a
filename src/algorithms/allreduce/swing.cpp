// Swing, bandwidth-optimal: reduce_scatter, then its time reversal (Sec. 3.1.1, 4). All ports of a
// torus run at once.
#include "families/torus/swing.hpp"

#include "families/claims.hpp"
#include "families/ports.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allreduce_swing{
    .collective = Collective::allreduce,
    .name = "swing",
    .summary = "Swing reduce_scatter and allgather on a torus, all ports at once",
    .paper = "Swing NSDI'24",
    .section = "3.1.1, 4",
    .needs_commutative = true,
    .parameters = {ports::mirrored, swing::run_by_run},
    .follows_shape = true,
    .note =
        "even dimensions without extra volume; odd ones: the last coordinate exchanges directly",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, 2 * swing::steps(q.shape), ports::parts(q), 2);
        },
    .make = [](const Problem& q) -> SchedulePtr { return swing::allreduce(q); },
};

}  // namespace hopbine::registered
