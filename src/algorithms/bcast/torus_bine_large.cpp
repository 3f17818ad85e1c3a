// Distance-doubling Bine scatter, distance-halving Bine allgather (Sec. 4.5) on a torus. Dimensions
// take turns, on every port at once (App. D).
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "families/torus/swing.hpp"
#include "families/torus/torus_tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm bcast_torus_bine_large{
    .collective = Collective::bcast,
    .name = "torus_bine_large",
    .summary = "Bine scatter, then allgather on a torus, all ports at once",
    .paper = "Bine SC'25",
    .section = "4.5, App. D",
    .parameters = {ports::going_round, torus::scatter_by_block},
    .follows_shape = true,
    .note =
        "what a rank holds from the scatter is not sent to it again; odd extents: the last "
        "coordinate exchanges directly",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, 2 * swing::steps(q.shape), ports::parts(q), 1);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return torus::scatter_allgather(q, torus::Ports::bine, swing::line, q.get("blocks") != 0);
    },
};

}  // namespace hopbine::registered
