// ParLinNa: ParLogNa inside nodes, scattered between nodes (Sec. 4).
#include "families/hierarchy/parlinna.hpp"

#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm alltoallv_parlinna{
    .collective = Collective::alltoallv,
    .name = "parlinna",
    .summary = "inside the nodes by parlogna, then between them in batches",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "4",
    .parameters = {radix::of_nonuniform, parlinna::batch, parlinna::staggered,
                   parlinna::is_explicit},
    .follows_placement = true,
    .note =
        "nodes of unequal size: a destination's blocks are carried by the rank at its index, "
        "modulo the ranks of the node",
    .claim = parlinna::claim,
    .make = parlinna::alltoall,
};

}  // namespace hopbine::registered
