/// What resumes calls under way.
#pragma once
#include "mpi/arguments/arguments.hpp"
#include "mpi/progress/engine.hpp"
#include "mpi/state/nonblocking.hpp"

namespace hopbine::mpi {

/// Whether nothing but hopbine's own thread does, and the program's threads in MPI_Wait.
inline bool thread_alone() { return !library_progresses() && job().progresses; }

/// Whether the end of a call waits for a thread of the program, to call its error handler. Not
/// where that may only test requests, which resumes nothing.
inline bool ends_in_program(int error) { return error != MPI_SUCCESS && !thread_alone(); }

/// The peers of nonblocking and persistent calls: those of the blocking calls before them. None
/// where hopbine's own thread runs, by which such calls are staged.
inline const Peers* peers_of(const Communicator& user) {
    return settings().progress_thread ? nullptr : user.peers();
}

/// Calls the error handler of a call that has failed. hopbine's own thread calls no function of the
/// program: then only the wait for the call returns an error.
inline void raise_at_end(MPI_Comm comm, int error) {
    bool calls = !Engine::get().on_own_thread();
    if (!calls) {
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        PMPI_Comm_get_errhandler(comm, &handler);
        calls = handler == MPI_ERRORS_ARE_FATAL;
        PMPI_Errhandler_free(&handler);
    }
    if (calls) PMPI_Comm_call_errhandler(comm, error);
}

/// Whether the call, whose arguments were examined, needs code of the program that no thread may
/// come to run. The same on all ranks.
inline bool needs_program(const Call& c, const Communicator& state) {
    return thread_alone() && reduces(c.collective) && !state.reduction().predefined;
}

/// Why the MPI library serves calls, for statistics.
inline constexpr const char* kDeviceLoaded = "a rank had loaded a GPU library in MPI_Init";
inline constexpr const char* kNeedsProgram =
    "a user-defined operation, which hopbine's thread does not run";

}  // namespace hopbine::mpi
