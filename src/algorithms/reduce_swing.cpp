// Distance-doubling trees whose dimensions take turns, backwards, on every port of a torus at once:
// Swing in place of recursive doubling (Sec. 4, 6).
#include "core/algorithm.hpp"
#include "core/bine.hpp"
#include "core/claims.hpp"
#include "core/combinators.hpp"
#include "core/ports.hpp"
#include "core/swing.hpp"
#include "core/torus_tree.hpp"

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
        return reversed(torus::tree_bcast(q, torus::Ports::swing, bine::doubling_tree),
                        Mode::reduce);
    },
};

}  // namespace hopbine::registered
