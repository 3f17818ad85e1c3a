/// Where ranks are: the node and group that each names, and the placement that follows.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "schedule/placement.hpp"

namespace hopbine::mpi {

/// What this rank goes by: HOPBINE_NODE, or what MPI_Get_processor_name says.
std::string node_name();

/// Names travel as numbers. 0 stands for no name.
std::uint64_t node_number();
std::uint64_t group_number();

/// Node and group of ranks that told these numbers, numbered in the order of their first ranks.
/// Where a rank has no group, or a node lies in two, all are in one group.
Placement placement_of(const std::vector<std::uint64_t>& nodes,
                       const std::vector<std::uint64_t>& groups);

}  // namespace hopbine::mpi
