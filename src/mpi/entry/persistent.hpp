/// Alltoallv's that programs prepare once and start again and again, by MPI's own requests.
///
/// A request that the program holds is a real persistent one, which is never started: it stands for
/// an Exchange. MPI_Start, the waits and the tests look such requests up. What is under way goes on
/// inside of these calls only.
#pragma once
#include "mpi/entry/serve.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// Makes a request for the call. `asked`: the program asked hopbine for it; else kPass where the
/// library is to serve.
int prepare(const Call& call, MPI_Request* request, bool asked);
/// Drops all requests, before MPI is finalized.
void end_requests();

}  // namespace hopbine::mpi
