/// hopbine_alltoallv_init by the MPI library's own MPI_Alltoallv_init, where its progress cannot
/// call hopbine.
#pragma once
#include "mpi/execute/call.hpp"

namespace hopbine::mpi {

/// Makes the library's request. It has copies of the counts and displacements. Returns an MPI error
/// code.
int make_library_alltoallv(const Call& call, MPI_Request* request);
/// Frees what belongs to a request that is being freed.
void forget_library_alltoallv(MPI_Request request);
/// Whether there are such requests.
bool any_library_alltoallv();

}  // namespace hopbine::mpi
