// Bucket: ring reduce_scatter along one dimension of a torus after another, one per port.
#include "families/torus/bucket.hpp"

#include "families/claims.hpp"
#include "families/ports.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_bucket{
    .collective = Collective::reduce_scatter,
    .name = "bucket",
    .summary = "rings along one dimension of a torus after the other, all ports at once",
    .paper = "Jain, Sabharwal ICS'10",
    .section = "bucket",
    .needs_commutative = true,
    .parameters = {ports::mirrored},
    .follows_shape = true,
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, bucket::steps(q), ports::parts(q), 1);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return bucket::on_ports(q, false, [&](const torus::Lines& lines, int first) {
            return torus::reduce_scatter(q.shape, lines, bucket::turns(q), first);
        });
    },
};

}  // namespace hopbine::registered
