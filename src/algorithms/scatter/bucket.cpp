// Bucket: every block goes along one dimension of a torus after the other, the farthest first.
#include "families/torus/bucket.hpp"

#include "families/ports.hpp"

namespace hopbine::registered {

Algorithm scatter_bucket{
    .collective = Collective::scatter,
    .name = "bucket",
    .summary = "along the rings of a torus, the farthest block first, all ports at once",
    .paper = "Jain, Sabharwal ICS'10",
    .section = "bucket",
    .parameters = {ports::mirrored},
    .follows_shape = true,
    .by_name_only = true,  // its steps differ: counting them costs a job more than they gain
    .claim = [](const Problem& q) { return Claim{bucket::steps(q), bucket::scatter_hops(q)}; },
    .make = [](const Problem& q) -> SchedulePtr { return bucket::scatter(q); },
};

}  // namespace hopbine::registered
