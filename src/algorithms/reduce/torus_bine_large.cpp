// Distance-doubling Bine reduce_scatter, distance-halving Bine gather (Sec. 4.5) on a torus.
// Dimensions take turns, on every port at once (App. D).
#include "families/ports.hpp"
#include "families/torus/swing.hpp"
#include "families/torus/torus_tree.hpp"

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
    .note = "odd extents: the last coordinate exchanges directly",
    .claim =
        [](const Problem& q) {
            return torus::reduce_scatter_gather_claim(q, swing::steps(q.shape), torus::Ports::bine,
                                                      swing::line);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return torus::reduce_scatter_gather(q, torus::Ports::bine, swing::line);
    },
};

}  // namespace hopbine::registered
