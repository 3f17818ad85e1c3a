/// What the ranks of a node tell each other of their neighbours in a process topology.
#pragma once
#include <span>
#include <vector>

#include "choice/members.hpp"
#include "runtime/neighbors.hpp"

namespace hopbine::mpi {

/// The neighbours of the ranks of this rank's node, which `node` has, in its order. Collective over
/// them.
std::vector<Neighbors> gather_neighbors(const Neighbors& mine, std::span<const int> node,
                                        Members& all);

}  // namespace hopbine::mpi
