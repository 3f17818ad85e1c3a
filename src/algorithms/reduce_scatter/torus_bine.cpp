// Torus Bine reduce_scatter without permutation, on every port at once (App. D).
#include "families/torus/torus_bine.hpp"

#include "families/claims.hpp"
#include "families/ports.hpp"
#include "families/torus/swing.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_torus_bine{
    .collective = Collective::reduce_scatter,
    .name = "torus_bine",
    .summary = "Bine butterfly dimension by dimension on a torus, all ports at once",
    .paper = "Bine SC'25",
    .section = "App. D",
    .needs_commutative = true,
    .parameters = {ports::going_round, swing::run_by_run},
    .follows_shape = true,
    .note = "even extents without extra volume; odd ones: the last coordinate exchanges directly",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, swing::steps(q.shape), ports::parts(q), 1);
        },
    .make = [](const Problem& q) -> SchedulePtr { return torus_bine::reduce_scatter(q); },
};

}  // namespace hopbine::registered
