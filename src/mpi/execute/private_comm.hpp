/// Communicators of hopbine's own.
#pragma once
#include <mpi.h>

namespace hopbine::mpi {

/// A communicator of the same ranks, without the attributes of `comm`; its errors are returned.
/// Collective.
MPI_Comm private_copy(MPI_Comm comm);

/// A communicator of this process alone, for copies of derived types and questions to the MPI
/// library. Its errors are returned. MPI_COMM_NULL before it is made and after it is freed.
MPI_Comm self_comm();
void make_self_comm();
void free_self_comm();

}  // namespace hopbine::mpi
