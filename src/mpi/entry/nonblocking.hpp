/// Serves an intercepted nonblocking call, or passes it on to the MPI library.
#pragma once
#include "mpi/execute/call.hpp"

namespace hopbine::mpi {

/// Starts the call, or returns kPass. Any other value is an MPI error code, noted for the
/// communicator's error handler.
int start(const Call& call, MPI_Request* request);

/// Called before MPI is finalized: waits for calls that the program has left to themselves.
void end_nonblocking();

}  // namespace hopbine::mpi
