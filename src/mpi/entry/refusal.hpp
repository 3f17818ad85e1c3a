/// Buffers that cannot be right, and whether the MPI library refuses them.
#pragma once
#include "mpi/entry/arguments.hpp"

namespace hopbine::mpi {

/// Is a significant buffer null, MPI_IN_PLACE where that has no meaning, or the same as the other
/// one?
bool suspicious(const Call& call, int rank, int p, const Arguments& known);

/// Does the MPI library refuse such buffers? It is asked with one element each, on a communicator
/// of this process alone; what it then refuses it refuses at once on the user's communicator too.
bool library_refuses(const Call& call, int rank, const Arguments& known);

}  // namespace hopbine::mpi
