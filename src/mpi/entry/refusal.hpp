/// Buffers that cannot be right, and whether the MPI library refuses them.
#pragma once
#include "mpi/entry/arguments.hpp"

namespace hopbine::mpi {

/// A significant buffer is null, MPI_IN_PLACE where that has no meaning, or the same as the other.
bool suspicious(const Call& call, int rank, int p, const Arguments& known);

/// The MPI library refuses such buffers. It is asked with few elements, on a communicator of this
/// process alone; what it refuses there it refuses at once on the user's communicator too.
bool library_refuses(const Call& call, int rank, const Arguments& known);

}  // namespace hopbine::mpi
