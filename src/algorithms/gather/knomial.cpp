// k-nomial tree: every message carries the blocks of a subtree, leaves to root (Sec. III-C, Fig.
// 2).
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm scatter_knomial;

Algorithm gather_knomial{
    .collective = Collective::gather,
    .summary = "k-nomial tree, leaves to root",
    .dual = &dual_of<scatter_knomial>,
};

}  // namespace hopbine::registered
