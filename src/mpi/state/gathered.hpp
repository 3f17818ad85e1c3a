/// Texts of all ranks on one rank, at the end of a job.
#pragma once
#include <mpi.h>

#include <string>
#include <vector>

namespace hopbine::mpi {

/// The text of every rank, on rank 0; elsewhere nothing. Collective.
std::vector<std::string> gathered(const std::string& mine, MPI_Comm comm);

}  // namespace hopbine::mpi
