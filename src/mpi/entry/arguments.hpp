/// Validation of this rank's arguments.
///
/// What one rank alone sees to be wrong must not leave the others waiting for longer than the MPI
/// library does. So a call is passed on only where the library is sure to report an error at once;
/// otherwise it is served, and the error is reported at its end on the rank that made it.
#pragma once
#include "mpi/execute/call.hpp"
#include "mpi/execute/datatype.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// The arguments of a call that will be served.
struct Arguments {
    Type send, recv;  ///< as significant at this rank
    /// Of the vector, or of a block times p: equal on all ranks where the call is right. Where
    /// blocks have sizes of their own, what this rank sends.
    std::int64_t bytes = 0;
    int error = MPI_SUCCESS;  ///< what to report when the call is over
};

/// False: the MPI library is to serve the call, or to say what is wrong with it.
bool examine(const Call& call, Communicator& state, Arguments* out);

}  // namespace hopbine::mpi
