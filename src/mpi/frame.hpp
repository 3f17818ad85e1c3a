/// What surrounds the steps of a plan: own data into place, derived types packed, results out.
#pragma once
#include "mpi/call.hpp"
#include "mpi/communicator.hpp"
#include "mpi/datatype.hpp"

namespace hopbine::mpi {

/// A call that will be served: its types looked up, sizes known.
struct Frame {
    const Call& call;
    Communicator& state;
    const Plan& plan;
    Type send, recv;  ///< as significant at this rank
};

/// Runs the plan for the call. Returns an MPI error code.
int run(const Frame& f);

}  // namespace hopbine::mpi
