// Distance-doubling trees with Swing in place of recursive doubling (Sec. 4, 6). Dimensions take
// turns, on every port of a torus at once.
#include "families/torus/swing.hpp"

#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "families/torus/torus_tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm bcast_swing{
    .collective = Collective::bcast,
    .name = "swing",
    .summary = "Swing trees of a torus' dimensions, all ports at once",
    .paper = "Swing NSDI'24",
    .section = "4, 6",
    .parameters = {ports::mirrored},
    .follows_shape = true,
    .note = "even extents without folding; odd ones: the last coordinate is served by the root's",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, swing::steps(q.shape), ports::parts(q), 1);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return torus::tree_bcast(q, torus::Ports::swing, bine::doubling_tree);
    },
};

}  // namespace hopbine::registered
