// Swing reduce_scatter, then a gather up its tree (Sec. 2.1, 6) on every port of a torus at once.
#include "families/ports.hpp"
#include "families/torus/swing.hpp"
#include "families/torus/torus_tree.hpp"

namespace hopbine::registered {

Algorithm reduce_swing_large{
    .collective = Collective::reduce,
    .name = "swing_large",
    .summary = "Swing reduce_scatter, then gather on a torus, all ports at once",
    .paper = "Swing NSDI'24",
    .section = "2.1, 6",
    .needs_commutative = true,
    .parameters = {ports::mirrored},
    .follows_shape = true,
    .note = "odd extents: the last coordinate exchanges directly",
    .claim =
        [](const Problem& q) {
            return torus::reduce_scatter_gather_claim(q, swing::steps(q.shape), torus::Ports::swing,
                                                      swing::line);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return torus::reduce_scatter_gather(q, torus::Ports::swing, swing::line);
    },
};

}  // namespace hopbine::registered
