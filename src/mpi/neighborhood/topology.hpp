/// The process topology of a communicator.
#pragma once
#include <mpi.h>

#include "runtime/neighbors.hpp"

namespace hopbine::mpi {

/// Sets the neighbours of this rank. False: the communicator has no topology. Local.
bool read_topology(MPI_Comm comm, Neighbors* out);

}  // namespace hopbine::mpi
