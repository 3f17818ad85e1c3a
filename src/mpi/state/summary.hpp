/// Reports in one line at the job's end what hopbine did (HOPBINE_SUMMARY).
#pragma once
#include <string>

#include "preload/call_counts.h"

namespace hopbine::mpi {

/// Notes when the job began. Called after MPI_Init.
void begin_summary();
/// Whether this rank is to report at the end: what it needs is noted only then. World rank 0 does.
bool reports();
/// Notes why the MPI library serves calls of a kind.
void note_unserved(const std::string& why);
/// Prints the line where it is wanted; without communication. Called before MPI_Finalize. False:
/// nothing was printed.
bool end_summary(const call_counts& counts);

}  // namespace hopbine::mpi
