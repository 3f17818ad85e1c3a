/// Binds a neighbourhood collective to its plan.
#pragma once
#include "mpi/bind/bind_buffers.hpp"

namespace hopbine::mpi {

/// Validates this rank's arguments. False: the MPI library reports the error. Looks up the
/// datatypes and sets `bytes` to what this rank sends.
bool valid_neighbors(const Call& call, Type* send, Type* recv, std::int64_t* bytes);

/// Runs the plan for the call. Returns an MPI error code.
int neighbors(const ServedCall& f);

/// Prepares a call that is repeated with the same counts, as learn_alltoallv() does.
int learn_neighbors(const ServedCall& f);

}  // namespace hopbine::mpi
