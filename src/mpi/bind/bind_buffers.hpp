/// Binds a call's buffers to its plan: packs what is sent, unpacks what is received.
#pragma once
#include "mpi/execute/call.hpp"
#include "mpi/execute/datatype.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// A call that hopbine serves: its plan, and its datatypes as looked up.
struct ServedCall {
    const Call& call;
    Communicator& state;
    const Plan& plan;
    Type send, recv;  ///< as significant at this rank
    const Reduction& reduction;
    const Endpoint& endpoint;
    Workspace& workspace;
    NonuniformWorkspace& nonuniform;
    MemoryWork* device = nullptr;  ///< works on the buffers; null: the CPU does
    Mirror* mirror = nullptr;      ///< has some of the buffers; null: they are all here
};

/// Runs the plan for the call. Returns an MPI error code.
int run(const ServedCall& f);

}  // namespace hopbine::mpi
