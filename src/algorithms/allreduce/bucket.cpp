// Bucket (Sack and Gropp; Swing Sec. 2.3.4): rings along one dimension after another, one per port.
#include "families/torus/bucket.hpp"

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

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
            return claims::all_parts_once(q, 2 * bucket::steps(q), ports::parts(q), 2);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return bucket::on_ports(q, true, [&](const torus::Lines& lines, int first) {
            // The allgather keeps the direction of the reduce_scatter, and each port its links. It
            // is therefore the time reversal of the mirrored reduce_scatter.
            const SchedulePtr scatter =
                torus::reduce_scatter(q.shape, lines, bucket::turns(q), first);
            const SchedulePtr gather = torus::reduce_scatter(
                q.shape, torus::mirrored(q.shape, lines), bucket::turns(q), first);
            return sequence({scatter, reversed(gather, Op::copy)});
        });
    },
};

}  // namespace hopbine::registered
