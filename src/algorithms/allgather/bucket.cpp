// Bucket: ring allgather along one dimension of a torus after another, the time reversal of the
// reduce_scatter.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm reduce_scatter_bucket;

Algorithm allgather_bucket{
    .collective = Collective::allgather,
    .dual = &dual_of<reduce_scatter_bucket>,
};

}  // namespace hopbine::registered
