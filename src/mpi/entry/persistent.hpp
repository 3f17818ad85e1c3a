/// Alltoallv's that programs prepare once and start again and again, by MPI's own requests.
/// MPI_Start, the waits and the tests look such requests up (prepared/requests.hpp).
#pragma once
#include "mpi/entry/serve.hpp"

namespace hopbine::mpi {

/// Makes a request for the call. `asked`: the program asked hopbine for it; else kPass where the
/// library is to serve.
int prepare(const Call& call, MPI_Request* request, bool asked);
/// Drops all requests, before MPI is finalized.
void end_requests();

}  // namespace hopbine::mpi
