// Torus Bine: reduce_scatter, then its time reversal, on every port at once (App. D).
#include "families/torus/torus_bine.hpp"

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "families/torus/swing.hpp"

namespace hopbine::registered {

Algorithm allreduce_torus_bine{
    .collective = Collective::allreduce,
    .name = "torus_bine",
    .summary =
        "Bine reduce_scatter and allgather dimension by dimension on a torus, all ports at once",
    .paper = "Bine SC'25",
    .section = "App. D",
    .needs_commutative = true,
    .parameters = {ports::going_round},
    .follows_shape = true,
    .note = "even extents without extra volume; odd ones: the last coordinate exchanges directly",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, 2 * swing::steps(q.shape), ports::parts(q), 2);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return torus_bine::on_ports(q, true, [&](const torus::Lines& lines, int first) {
            const SchedulePtr half = torus::butterfly(q.shape, lines, first);
            return sequence({half, reversed(half, Op::copy)});
        });
    },
};

}  // namespace hopbine::registered
