// Linear: every rank sends its block to the root.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm scatter_linear;

Algorithm gather_linear{
    .collective = Collective::gather,
    .summary = "all to root at once",
    .dual = &dual_of<scatter_linear>,
};

}  // namespace hopbine::registered
