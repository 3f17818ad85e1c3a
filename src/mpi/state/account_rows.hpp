/// The account by kind of calls and communicator, for statistics.
#pragma once
#include <string>

namespace hopbine::mpi {

/// The kinds of the communicators whose first rank this is, as members of a JSON array without its
/// brackets; empty: there are none.
std::string account_rows();
/// The account of this rank as a JSON object, with all rows.
std::string account_json(const std::string& rows);

}  // namespace hopbine::mpi
