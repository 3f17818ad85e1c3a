// Bine reduce_scatter and gather on every port of a torus at once (Sec. 4.5, App. D): the large
// broadcast, backwards in time.
#include "core/algorithm.hpp"
#include "core/claims.hpp"
#include "core/combinators.hpp"
#include "core/ports.hpp"
#include "core/swing.hpp"
#include "core/torus_tree.hpp"

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
        return reversed(torus::scatter_allgather(q, torus::Ports::bine, swing::line), Mode::reduce);
    },
};

}  // namespace hopbine::registered
