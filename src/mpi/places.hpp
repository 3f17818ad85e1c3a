/// Where the ranks of a communicator are, as they tell each other.
#pragma once
#include <mpi.h>

#include <string>

#include "core/placement.hpp"

namespace hopbine::mpi {

/// What this rank goes by: HOPBINE_NODE, or what MPI_Get_processor_name says.
std::string node_name();

/// Node and group of every rank, numbered in the order of their first ranks; equal on all ranks (collective). The node is HOPBINE_NODE or what
/// MPI_Get_processor_name says; the group is HOPBINE_GROUP. Where a rank has no group, or a node lies in two, all are in one group.
Placement find_places(MPI_Comm comm, int size);

}  // namespace hopbine::mpi
