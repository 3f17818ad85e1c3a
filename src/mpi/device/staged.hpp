/// HOPBINE_GPU=staged: calls on device memory, made on copies in host memory.
#pragma once
#include <optional>

#include "mpi/arguments/arguments.hpp"
#include "mpi/execute/call.hpp"

namespace hopbine::mpi {

/// Serves a call on buffers in device memory: hopbine's algorithms or the MPI library serve the
/// same call on copies. Which of them is chosen as on host memory, so that the ranks need not agree
/// on what only some of them know. `serve`: serves a call for the buffers that it has. Empty: the
/// call is none that is staged. Else an MPI error code.
std::optional<int> serve_staged(const Call& c, int (*serve)(const Call&));

/// A call whose buffers are to be staged.
struct StagedCall {
    Call call;
    Neighbors neighbors;  ///< of the call, if it is among neighbours
    Arguments known;

    /// False: no buffer is on a device, the arguments are for the MPI library to refuse, or nothing
    /// is staged.
    bool prepare(const Call& given, Communicator& state);
};

}  // namespace hopbine::mpi
