/// Persistent alltoallv requests, which programs start by MPI's own functions.
/// MPI_Start, the waits and the tests look such requests up (prepared/requests.hpp).
#pragma once
#include "mpi/entry/serve.hpp"

namespace hopbine::mpi {

/// Makes a persistent request for the call. `asked`: the program called hopbine_alltoallv_init.
/// Otherwise returns kPass where the MPI library is to serve.
int prepare(const Call& call, MPI_Request* request, bool asked);
/// Frees all requests; called before MPI is finalized.
void end_requests();

}  // namespace hopbine::mpi
