/// Gatherv and scatterv around the steps of their plans: what each rank has, the root's own block.
#pragma once
#include "mpi/bind/bind_buffers.hpp"

namespace hopbine::mpi {

/// Are the arguments of this rank what they can be, so that the call need not go to the MPI
/// library, which says what is wrong with it? Types become what is significant here, `bytes` what
/// this rank sends.
bool sound_gatherv(const Call& call, int rank, int p, Type* send, Type* recv, std::int64_t* bytes);

/// Runs the plan for the call, a gatherv or scatterv. Returns an MPI error code.
int gatherv(const ServedCall& f);

}  // namespace hopbine::mpi
