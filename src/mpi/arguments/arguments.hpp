/// Validates this rank's arguments.
///
/// An error that one rank alone detects must not keep the others waiting longer than the MPI
/// library would:
/// - A call is passed on only where the MPI library is sure to report an error at once.
/// - Any other call is served. The rank with the error reports it when the call completes.
#pragma once
#include "mpi/execute/call.hpp"
#include "mpi/execute/datatype.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// Validated arguments of a call that hopbine serves.
struct Arguments {
    Type send, recv;  ///< as significant at this rank
    /// Bytes of the vector, or of all blocks together: equal on all ranks in a correct call. For
    /// gatherv, scatterv and alltoallv the bytes that this rank sends.
    std::int64_t bytes = 0;
    int error = MPI_SUCCESS;  ///< error code to return when the call completes
};

/// Validates a call. False: the MPI library serves it or reports the error.
bool examine(const Call& call, Communicator& state, Arguments* out);

/// What all ranks know of a validated call; it is decided on by that.
struct KnownToAll {
    std::int64_t bytes;  ///< select::kUnknown: not all do
    int root;
    Operands operands;
};
KnownToAll known_to_all(const Call& call, const Communicator& state, const Arguments& known);

/// Whether every message of the call fits into a mailbox, and lies in host memory. The same on all
/// ranks.
bool fits_mailboxes(const Call& call, const KnownToAll& key);

}  // namespace hopbine::mpi
