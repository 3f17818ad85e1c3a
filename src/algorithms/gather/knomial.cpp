// k-nomial tree, from the leaves to the root (Sec. III-C, Fig. 2). A message carries the blocks of
// a subtree.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm scatter_knomial;

Algorithm gather_knomial{
    .collective = Collective::gather,
    .summary = "k-nomial tree, leaves to root",
    .dual = &dual_of<scatter_knomial>,
};

}  // namespace hopbine::registered
