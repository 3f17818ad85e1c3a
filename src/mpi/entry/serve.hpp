/// What is done with an intercepted call.
#pragma once
#include <climits>

#include "mpi/execute/call.hpp"

namespace hopbine::mpi {

/// The stub forwards the call to the MPI library.
inline constexpr int kPass = INT_MIN;
/// The same, and tells the runtime by hopbine_passed() when that is done.
inline constexpr int kPassTimed = INT_MIN + 1;

/// Was this thread's last collective a `c` on `comm`, of which the MPI library serves every call?
/// Then it serves this one, and there is no need to describe it: programs call the same collective
/// in loops.
bool left_to_library(Collective c, MPI_Comm comm);
/// Serves the call, or answers kPass or kPassTimed. Other answers are MPI error codes, already
/// raised on the user's communicator.
int serve(const Call& call);

}  // namespace hopbine::mpi
