// Swing reduce_scatter on every port of a torus at once (Sec. 3.1.1, 4).
#include "families/torus/swing.hpp"

#include "families/claims.hpp"
#include "families/ports.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_swing{
    .collective = Collective::reduce_scatter,
    .name = "swing",
    .summary = "Swing reduce_scatter on a torus, all ports at once",
    .paper = "Swing NSDI'24",
    .section = "3.1.1, 4",
    .needs_commutative = true,
    .parameters = {ports::mirrored, swing::run_by_run},
    .follows_shape = true,
    .note =
        "even dimensions without extra volume; odd ones: the last coordinate exchanges directly",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, swing::steps(q.shape), ports::parts(q), 1);
        },
    .make = [](const Problem& q) -> SchedulePtr { return swing::reduce_scatter(q); },
};

}  // namespace hopbine::registered
