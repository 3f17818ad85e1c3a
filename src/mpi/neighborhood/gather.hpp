/// Tells the ranks of a node each other's neighbours.
#pragma once
#include <span>
#include <vector>

#include "mpi/execute/messages.hpp"
#include "runtime/neighbors.hpp"

namespace hopbine::mpi {

/// Sets `out` to the neighbours of the node's ranks, in the order of `members`. Collective over the
/// members. Returns an MPI error code.
int gather_neighbors(const Neighbors& mine, int rank, std::span<const int> members,
                     const Endpoint& at, std::vector<Neighbors>* out);

}  // namespace hopbine::mpi
