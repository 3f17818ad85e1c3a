/// What this job has learned, for the next one (HOPBINE_LEARN, else the user's cache).
#pragma once
#include "select/rules.hpp"

namespace hopbine::mpi {

/// Notes a rule for one size class. It replaces an earlier one for the same calls.
void add_lesson(select::Rule lesson);
/// Adds what all ranks have learned to the file. Collective over MPI_COMM_WORLD.
void write_lessons();

}  // namespace hopbine::mpi
