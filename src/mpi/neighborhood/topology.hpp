/// The neighbours of the ranks, by the process topology of their communicator.
#pragma once
#include <mpi.h>

#include <span>
#include <vector>

#include "mpi/execute/messages.hpp"
#include "runtime/neighbors.hpp"

namespace hopbine::mpi {

/// Sets the neighbours of this rank. False: the communicator has no topology. Local.
bool read_topology(MPI_Comm comm, Neighbors* out);

/// Sets `out` to the neighbours of the node's ranks, in the order of `members`. Collective over the
/// members. Returns an MPI error code.
int gather_neighbors(const Neighbors& mine, int rank, std::span<const int> members,
                     const Endpoint& at, std::vector<Neighbors>* out);

}  // namespace hopbine::mpi
