/// What surrounds the steps of a plan: own data into place, derived types packed, results out.
#pragma once
#include "mpi/execute/call.hpp"
#include "mpi/execute/datatype.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// A call that will be served: its types looked up, sizes known.
struct ServedCall {
    const Call& call;
    Communicator& state;
    const Plan& plan;
    Type send, recv;  ///< as significant at this rank
};

/// Runs the plan for the call. Returns an MPI error code.
int run(const ServedCall& f);

}  // namespace hopbine::mpi
