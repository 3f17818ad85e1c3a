/// Private communicators of hopbine.
#pragma once
#include <mpi.h>

namespace hopbine::mpi {

/// Makes a communicator of the same ranks, without the attributes of `comm`. Its error handler is
/// MPI_ERRORS_RETURN. Collective.
MPI_Comm private_copy(MPI_Comm comm);

/// A communicator of this process alone: copies derived datatypes and probes the MPI library. Its
/// error handler is MPI_ERRORS_RETURN. MPI_COMM_NULL before it is made and after it is freed.
MPI_Comm self_comm();
void make_self_comm();
void free_self_comm();

}  // namespace hopbine::mpi
