// Hierarchical: blocks are collected inside nodes (or groups), and cross between them in one
// message for each destination. ParLinNa's schedule for blocks of equal size.
#include "families/hierarchy/parlinna.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm alltoall_hierarchical{
    .collective = Collective::alltoall,
    .name = "hierarchical",
    .summary = "inside nodes or groups by Bruck's algorithm, then between them in batches",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "4",
    .parameters = {radix::of_nonuniform,
                   parlinna::batch,
                   parlinna::staggered,
                   {"groups", Kind::flag, 0, 1, 0,
                    "1: units are groups; 0: nodes, or groups where "
                    "every rank has its own node"}},
    .follows_placement = true,
    .note =
        "units of unequal size: a destination's blocks are carried by the rank at its index, "
        "modulo the ranks of the unit",
    .claim = parlinna::claim,
    .make = parlinna::alltoall,
};

}  // namespace hopbine::registered
