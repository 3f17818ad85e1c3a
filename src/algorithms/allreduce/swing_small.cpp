// Swing, latency-optimal: whole vectors in every step (Sec. 3.1.2, 4).
#include "families/bine/bine.hpp"
#include "families/ports.hpp"
#include "families/torus/swing.hpp"
#include "families/torus/whole_lines.hpp"

namespace hopbine::registered {

Algorithm allreduce_swing_small{
    .collective = Collective::allreduce,
    .name = "swing_small",
    .summary = "Swing with whole vectors on a torus, all ports at once",
    .paper = "Swing NSDI'24",
    .section = "3.1.2, 4",
    .needs_commutative = true,
    .bitwise_reproducible = false,
    .parameters = {ports::mirrored},
    .follows_shape = true,
    .note =
        "dimensions that are no power of two: folded to the next lower one; every rank adds in its "
        "own order",
    .claim = torus::folded_lines_claim,
    .make = [](const Problem& q) -> SchedulePtr {
        const torus::Line line = torus::folded_line(bine::whole_vector_butterfly);
        return swing::on_ports(q, line, true, [&](const torus::Lines& lines, int first) {
            return torus::whole_vectors(q.shape, lines, first);
        });
    },
};

}  // namespace hopbine::registered
