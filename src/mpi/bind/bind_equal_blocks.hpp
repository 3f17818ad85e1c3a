/// Calls whose blocks are of one size: gather, scatter and alltoall.
#pragma once
#include "mpi/bind/bind_buffers.hpp"

namespace hopbine::mpi {

/// Each runs the plan on the user's buffers. Returns an MPI error code.
int gather_or_scatter(const ServedCall& f);
int alltoall(const ServedCall& f);

}  // namespace hopbine::mpi
