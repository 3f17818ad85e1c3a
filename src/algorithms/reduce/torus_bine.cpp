// The product of the dimensions' distance-halving Bine trees, backwards: the vectors come up on
// every port of a torus at once (App. D).
#include "combinators/combinators.hpp"
#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "families/torus/torus_tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_torus_bine{
    .collective = Collective::reduce,
    .name = "torus_bine",
    .summary =
        "distance-halving Bine trees of a torus' dimensions, leaves to root, all ports at once",
    .paper = "Bine SC'25",
    .section = "App. D",
    .needs_commutative = true,
    .parameters = {ports::going_round},
    .follows_shape = true,
    .note = "any extents without folding",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, torus::steps(q.shape, ceil_log2), ports::parts(q), 1);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(torus::tree_bcast(q, torus::Ports::bine, bine::halving_tree), Op::reduce);
    },
};

}  // namespace hopbine::registered
