/// Persistent collectives: calls that are described once and started again and again.
#pragma once
#include "mpi/execute/call.hpp"

namespace hopbine::mpi {

/// Serves MPI_..._init, or returns kPass: the MPI library makes the request. Collective. Any other
/// value is an MPI error code, noted for the communicator's error handler.
int make_persistent(const Call& call, MPI_Request* request);
/// Frees all requests, before MPI is finalized. None is under way.
void end_persistent();

}  // namespace hopbine::mpi
