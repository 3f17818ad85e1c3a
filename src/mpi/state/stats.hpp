/// Statistics of the calls of this process, and what it has learned of them, written at finalize.
#pragma once
#include <mpi.h>

#include <string>
#include <vector>

#include "statistics/statistics.hpp"

extern "C" {
/// Return address of this thread's last call, set by the preload library.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local void* hopbine_caller;
}

namespace hopbine::mpi {

/// The row of the call that this thread is in; null where `row` is.
inline StatRow* row_here(StatRow* row) {
    return row ? row_at(row, call_site(hopbine_caller)) : nullptr;
}
/// Gathers the rows of all ranks on world rank 0, which writes the file (HOPBINE_STATS); none when
/// no rank names one. Collective over MPI_COMM_WORLD.
void write_stats(const std::string& file);
/// Adds what all ranks have learned to the file (HOPBINE_LEARN). Collective over MPI_COMM_WORLD.
void write_lessons();

/// The text of every rank, on rank 0; elsewhere nothing. Collective.
std::vector<std::string> gathered(const std::string& mine, MPI_Comm comm);

}  // namespace hopbine::mpi
