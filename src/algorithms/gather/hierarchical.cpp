// Time reversal of the hierarchical scatter.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm scatter_hierarchical;

Algorithm gather_hierarchical{
    .collective = Collective::gather,
    .summary = "trees inside, then one message out of every group",
    .dual = &dual_of<scatter_hierarchical>,
};

}  // namespace hopbine::registered
