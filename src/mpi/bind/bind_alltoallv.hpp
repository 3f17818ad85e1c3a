/// Binds an alltoallv to its plan: the copy for in place, and the rank's block for itself.
#pragma once
#include "mpi/bind/bind_buffers.hpp"

namespace hopbine::mpi {

/// Validates this rank's arguments. False: the MPI library reports the error. Looks up the
/// datatypes and sets `bytes` to what this rank sends.
bool valid_alltoallv(const Call& call, int p, Type* send, Type* recv, std::int64_t* bytes);

/// Runs the plan for the call. Returns an MPI error code.
int alltoallv(const ServedCall& f);

/// Prepares a call that is repeated with the same counts: its messages will have no headers.
/// Collective. Returns an MPI error code: MPI_ERR_TRUNCATE, on all ranks, when the counts of two
/// disagree.
int learn_alltoallv(const ServedCall& f);

}  // namespace hopbine::mpi
