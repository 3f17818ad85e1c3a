/// Binds a gatherv or scatterv to its plan: all blocks at the root, and each rank's own block.
#pragma once
#include "mpi/bind/bind_buffers.hpp"

namespace hopbine::mpi {

/// Validates this rank's arguments. False: the MPI library reports the error. Looks up the
/// datatypes that are significant here and sets `bytes` to what this rank sends.
bool valid_gatherv(const Call& call, int rank, int p, Type* send, Type* recv, std::int64_t* bytes);

/// Runs the plan of a gatherv or scatterv. Returns an MPI error code.
int gatherv(const ServedCall& f);

}  // namespace hopbine::mpi
