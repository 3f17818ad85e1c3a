// Linear: the root receives all vectors at once and reduces them in rank order.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_linear;

Algorithm reduce_linear{
    .collective = Collective::reduce,
    .summary = "all to root at once, in rank order",
    .dual = &dual_of<bcast_linear>,
};

}  // namespace hopbine::registered
