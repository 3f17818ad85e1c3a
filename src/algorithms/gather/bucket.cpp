// Bucket: every block comes along one dimension of a torus after the other, the nearest first.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm scatter_bucket;

Algorithm gather_bucket{
    .collective = Collective::gather,
    .summary = "along the rings of a torus, the nearest block first, all ports at once",
    .dual = &dual_of<scatter_bucket>,
};

}  // namespace hopbine::registered
