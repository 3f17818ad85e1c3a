/// What resumes calls under way.
#pragma once
#include "mpi/entry/arguments.hpp"
#include "mpi/progress/library_progress.hpp"
#include "mpi/state/world.hpp"

namespace hopbine::mpi {

/// Whether something resumes calls wherever a rank is. The same on all ranks.
inline bool calls_progress() { return library_progresses() || World::get().progresses(); }

/// Whether nothing but hopbine's own thread does, and the program's threads in MPI_Wait.
inline bool thread_alone() { return !library_progresses() && World::get().progresses(); }

/// Whether the call, whose arguments were examined, needs code of the program that no thread may
/// come to run. The same on all ranks.
inline bool needs_program(const Call& c, const Communicator& state) {
    return thread_alone() && reduces(c.collective) && !state.reduction().predefined;
}

/// Why the MPI library serves calls, for statistics.
inline constexpr const char* kNoProgress =
    "the MPI library's progress does not call hopbine (--progress thread does)";
inline constexpr const char* kDeviceLoaded = "a rank had loaded a GPU library in MPI_Init";
inline constexpr const char* kNeedsProgram =
    "a user-defined operation, which hopbine's thread does not run";

}  // namespace hopbine::mpi
