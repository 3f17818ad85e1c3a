/// Serves an intercepted call, or passes it on to the MPI library.
#pragma once
#include <climits>

#include "mpi/execute/call.hpp"

namespace hopbine::mpi {

/// The stub forwards the call to the MPI library.
inline constexpr int kPass = INT_MIN;
/// The same; the stub calls hopbine_passed() when the MPI library has completed the call.
inline constexpr int kPassTimed = INT_MIN + 1;

/// Whether this thread's last call has shown that the MPI library serves every `c` on `comm`. Saves
/// the description of the call: programs call the same collective in loops.
bool library_serves(Collective c, MPI_Comm comm);
/// Serves the call, or returns kPass or kPassTimed. Any other value is an MPI error code, noted for
/// the communicator's error handler.
int serve(const Call& call);

}  // namespace hopbine::mpi
