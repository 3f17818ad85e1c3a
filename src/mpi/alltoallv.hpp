/// An alltoallv around the steps of its plan: in place, the rank's own block.
#pragma once
#include "mpi/frame.hpp"

namespace hopbine::mpi {

/// Are the counts of this rank what they can be, so that the call need not go to the MPI library, which says what is wrong with it? `bytes` becomes what this rank sends.
bool sound(const Call& call, const Type& send, const Type& recv, int p, std::int64_t* bytes);

/// Runs the plan for the call. Returns an MPI error code.
int alltoallv(const Frame& f);

}  // namespace hopbine::mpi
