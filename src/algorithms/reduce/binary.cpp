// Pipelined in-order binary tree, from the leaves to the root.
#include "combinators/dual.hpp"

namespace hopbine::registered {

extern Algorithm bcast_binary;

Algorithm reduce_binary{
    .collective = Collective::reduce,
    .summary = "segments up an in-order binary tree",
    .needs_commutative = true,
    .dual = &dual_of<bcast_binary>,
};

}  // namespace hopbine::registered
