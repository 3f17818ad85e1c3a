/// Counts sums that are exact, and those that are not though they were to be: these are told at the
/// job's end, and by its exit status.
#pragma once
#include <string>

#include "mpi/execute/call.hpp"
#include "mpi/state/stats.hpp"

namespace hopbine::mpi {

/// The exit status of a program whose own would be 0.
inline constexpr int kNotExact = 87;

/// Notes a nonblocking or persistent call whose sums are exact. SumState counts blocking ones.
void note_exact_later();
/// Notes one whose sums are not.
void note_not_exact(const Call& c, Form form, const std::string& why);
/// Notes a call of a function of MPI, as MPI_Accumulate.
void note_not_exact(const std::string& function, MPI_Datatype type, const std::string& why);

/// Lets the exit status tell of such calls. Called after MPI_Init.
void begin_exact_sums();
/// Tells of the calls of all ranks whose sums are not exact. Called before MPI_Finalize; collective
/// where all ranks run under hopbine. Sets what statistics tell of sums.
void tell_not_exact();

}  // namespace hopbine::mpi
