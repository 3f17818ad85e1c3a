/// Serves an intercepted call, or passes it on to the MPI library.
#pragma once
#include "mpi/execute/call.hpp"
#include "mpi/state/passing.hpp"

extern "C" {
/// This thread's state; null before its first call. The preload library (src/preload/preload.c)
/// has the variable.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local void* hopbine_thread;
}

namespace hopbine::mpi {

/// What a thread remembers of its calls.
struct ThreadState;
/// Makes the state of this thread.
ThreadState& first_call();
/// The state of this thread. The pointer to it lies in the preload library, where it is found
/// without a function call: that would take as long as half the checks of a call that is passed on.
inline ThreadState& this_thread() {
    return hopbine_thread ? *static_cast<ThreadState*>(hopbine_thread) : first_call();
}

/// Serves the call, or returns kPass or kPassTimed. Any other value is an MPI error code, noted for
/// the communicator's error handler.
int serve(const Call& call);
/// Starts the nonblocking call, or returns kPass.
int start(const Call& call, MPI_Request* request);
/// Serves MPI_..._init, or returns kPass: the MPI library makes the request. Collective.
int make_persistent(const Call& call, MPI_Request* request);
/// Passes on one of a communicator's first calls, which are counted when they have completed.
int pass_first(int* first_calls);
/// Called before MPI is finalized: waits for nonblocking calls that the program has left to
/// themselves, and frees all persistent requests, of which none is under way.
void end_nonblocking();
void end_persistent();

}  // namespace hopbine::mpi
