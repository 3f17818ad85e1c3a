// Recursive doubling, latency-optimal, on a torus (Swing Sec. 2.3.2). Whole vectors; dimensions
// take turns.
#include "families/claims.hpp"
#include "families/exchange/butterfly.hpp"
#include "families/ports.hpp"
#include "families/torus/whole_lines.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm allreduce_torus_doubling_small{
    .collective = Collective::allreduce,
    .name = "torus_doubling_small",
    .summary =
        "recursive doubling of whole vectors on a torus, dimensions taking turns; on one port, or "
        "mirrored on all",
    .paper = "Swing NSDI'24",
    .section = "2.3.2, 4.1",
    .needs_commutative = true,
    .bitwise_reproducible = false,
    .parameters = {ports::mirrored_if_asked},
    .follows_shape = true,
    .note =
        "extents that are no power of two: folded to the next lower one; mirrored, every rank adds "
        "in its own order",
    .claim = torus::folded_lines_claim,
    .make = [](const Problem& q) -> SchedulePtr {
        const auto line = [](butterfly::Sign sign) {
            return torus::folded_line(
                [sign](int core, int n) { return butterfly::whole_vector(core, n, sign); });
        };
        return torus::on_ports(q.shape, ports::parts(q), torus::Ports::swing,
                               line(butterfly::Sign::plain), line(butterfly::Sign::flipped), true,
                               [&](const torus::Lines& lines, int first) {
                                   return torus::whole_vectors(q.shape, lines, first);
                               });
    },
};

}  // namespace hopbine::registered
