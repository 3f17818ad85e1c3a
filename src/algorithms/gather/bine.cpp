// Distance-halving Bine tree, from the leaves to the root (Sec. 4.1).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm scatter_bine;

Algorithm gather_bine{
    .collective = Collective::gather,
    .section = "4.1",
    .dual = &dual_of<scatter_bine>,
};

}  // namespace hopbine::registered
