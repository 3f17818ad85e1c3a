// Bucket (Sack and Gropp; Swing Sec. 2.3.4): rings along one dimension after another, one per port.
#include <algorithm>

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "families/ring/ring.hpp"
#include "families/torus/swing.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

/// All ports change dimension together on rectangular tori (Swing Sec. 5.2).
static torus::Turns turns(const Problem& q) {
    return q.get("ports") ? torus::Turns::phases : torus::Turns::whole_dimensions;
}

Algorithm allreduce_bucket{
    .collective = Collective::allreduce,
    .name = "bucket",
    .summary = "rings along one dimension of a torus after the other, all ports at once",
    .paper = "Swing NSDI'24",
    .section = "2.3.4",
    .needs_commutative = true,
    .parameters = {ports::mirrored},
    .follows_shape = true,
    .claim =
        [](const Problem& q) {
            const int longest = *std::max_element(q.shape.begin(), q.shape.end());
            const auto steps = [&](int n) {
                return (turns(q) == torus::Turns::phases ? longest : n) - 1;
            };
            return claims::all_parts_once(q, 2 * torus::steps(q.shape, steps), ports::parts(q), 2);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return swing::on_ports(
            q, ring_reduce_scatter, true, [&](const torus::Lines& lines, int first) {
                // The allgather keeps the direction of the reduce_scatter, and each port its links.
                // It is therefore the time reversal of the mirrored reduce_scatter.
                const SchedulePtr scatter = torus::reduce_scatter(q.shape, lines, turns(q), first);
                const SchedulePtr gather = torus::reduce_scatter(
                    q.shape, torus::mirrored(q.shape, lines), turns(q), first);
                return sequence({scatter, reversed(gather, Op::copy)});
            });
    },
};

}  // namespace hopbine::registered
