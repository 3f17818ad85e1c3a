/// Statistics of the calls of this process, written at finalize (HOPBINE_STATS).
#pragma once
#include <mpi.h>

#include <string>
#include <vector>

#include "runtime/statistics.hpp"

namespace hopbine::mpi {

/// The site of the call that this thread is in, which lives as long as the process. Null where
/// none are kept. Calls that come by the MPI library's own wrappers, as Fortran's, are where these
/// are called.
const CallSite* call_site();

/// The row of the call that this thread is in; null where `row` is.
inline StatRow* row_here(StatRow* row) { return row ? row_at(row, call_site()) : nullptr; }
/// Gathers the rows of all ranks on world rank 0, which writes the file; none when no rank names
/// one. Collective over MPI_COMM_WORLD.
void write_stats(const std::string& file);

/// The text of every rank, on rank 0; elsewhere nothing. Collective.
std::vector<std::string> gathered(const std::string& mine, MPI_Comm comm);

/// The kinds of the communicators whose first rank this is, as members of a JSON array without its
/// brackets; empty: there are none.
std::string account_rows();
/// The account of this rank as a JSON object, with all rows.
std::string account_json(const std::string& rows);

}  // namespace hopbine::mpi
