// Bine reduce_scatter and gather on every port of a torus at once (Sec. 4.5, App. D): the large
// broadcast, backwards in time.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "families/torus/swing.hpp"
#include "families/torus/torus_tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm reduce_torus_bine_large{
    .collective = Collective::reduce,
    .name = "torus_bine_large",
    .summary = "Bine reduce_scatter, then gather on a torus, all ports at once",
    .paper = "Bine SC'25",
    .section = "4.5, App. D",
    .needs_commutative = true,
    .parameters = {ports::going_round},
    .follows_shape = true,
    .note =
        "as the reverse of the large broadcast it moves (p - 1) n bytes in all; odd extents: the "
        "last coordinate exchanges directly",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, 2 * swing::steps(q.shape), ports::parts(q), 1);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(torus::scatter_allgather(q, torus::Ports::bine, swing::line), Op::reduce);
    },
};

}  // namespace hopbine::registered
