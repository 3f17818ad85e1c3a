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

/// Where messages of this process to itself go that other threads wait for: self_comm(), or a copy
/// of MPI_COMM_WORLD after make_own_messages().
struct OwnMessages {
    MPI_Comm comm;
    int rank;
};
OwnMessages own_messages();
/// Collective. For MPICH 4.0, which does not tell a thread that waits of messages on a communicator
/// of one process, and frees their requests without a lock (Debian's 4.0.2, measured).
void make_own_messages();
void free_own_messages();

}  // namespace hopbine::mpi
