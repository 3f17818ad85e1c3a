/// The neighbours of this rank, by the process topology of a communicator.
#pragma once
#include <mpi.h>

#include <optional>

#include "runtime/neighbors.hpp"

namespace hopbine::mpi {

/// Nothing: the communicator has no topology. Local.
std::optional<Neighbors> read_topology(MPI_Comm comm);

}  // namespace hopbine::mpi
