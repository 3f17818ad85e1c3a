// Scatter down a Swing tree, then a Swing allgather (Sec. 2.1, 6) on every port of a torus at once.
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "families/torus/swing.hpp"
#include "families/torus/torus_tree.hpp"

namespace hopbine::registered {

Algorithm bcast_swing_large{
    .collective = Collective::bcast,
    .name = "swing_large",
    .summary = "scatter, then Swing allgather on a torus, all ports at once",
    .paper = "Swing NSDI'24",
    .section = "2.1, 6",
    .parameters = {ports::mirrored},
    .follows_shape = true,
    .note =
        "what a rank holds from the scatter is not sent to it again; odd extents: the last "
        "coordinate exchanges directly",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, 2 * swing::steps(q.shape), ports::parts(q), 1);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return torus::scatter_allgather(q, torus::Ports::swing, swing::line);
    },
};

}  // namespace hopbine::registered
