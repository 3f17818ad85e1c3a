// Distance-doubling trees whose dimensions take turns, backwards, on every port of a torus at once:
// Swing in place of recursive doubling (Sec. 4, 6).
#include "families/torus/swing.hpp"

#include "combinators/combinators.hpp"
#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "families/torus/torus_tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_swing{
    .collective = Collective::reduce,
    .name = "swing",
    .summary = "Swing trees of a torus' dimensions, leaves to root, all ports at once",
    .paper = "Swing NSDI'24",
    .section = "4, 6",
    .needs_commutative = true,
    .parameters = {ports::mirrored},
    .follows_shape = true,
    .note = "even extents without folding; odd ones: the last coordinate is served by the root's",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, swing::steps(q.shape), ports::parts(q), 1);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(torus::tree_bcast(q, torus::Ports::swing, bine::doubling_tree), Op::reduce);
    },
};

}  // namespace hopbine::registered
