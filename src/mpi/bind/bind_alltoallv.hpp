/// An alltoallv around the steps of its plan: in place, the rank's own block.
#pragma once
#include "mpi/bind/bind_buffers.hpp"

namespace hopbine::mpi {

/// Are the arguments of this rank what they can be, so that the call need not go to the MPI
/// library, which says what is wrong with it? Types are looked up, `bytes` becomes what this rank
/// sends.
bool sound_alltoallv(const Call& call, int p, Type* send, Type* recv, std::int64_t* bytes);

/// Runs the plan for the call. Returns an MPI error code.
int alltoallv(const ServedCall& f);

}  // namespace hopbine::mpi
