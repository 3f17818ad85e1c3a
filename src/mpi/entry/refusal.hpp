/// Detects invalid buffers and whether the MPI library refuses them.
#pragma once
#include "mpi/entry/arguments.hpp"

namespace hopbine::mpi {

/// Whether a significant buffer is null, a misplaced MPI_IN_PLACE, or the same as the other.
bool suspicious(const Call& call, int rank, int p, const Arguments& known);

/// Whether the MPI library refuses such buffers. Calls it with few elements on a communicator of
/// this process alone: what it refuses there it refuses at once on the user's communicator too.
bool library_refuses(const Call& call, int rank, const Arguments& known);

}  // namespace hopbine::mpi
