/// Locations of ranks: the node and group that each names, and the resulting placement.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "schedule/placement.hpp"

namespace hopbine::mpi {

/// Names of where a process is.
struct RankLocation {
    /// HOPBINE_NODE, else SLURMD_NODENAME in a task of srun, else MPI_Get_processor_name.
    std::string node;
    /// location::group_of_process; empty where it is not known.
    std::string group;
};
RankLocation own_location();
/// A hash of a name, for messages. 0: no name.
std::uint64_t number_of(const std::string& name);

/// Stands for the processes that may open one another's memory: those of one user that Linux
/// numbers together. Containers may number their own. 0: it is not known, or forbidden.
std::uint64_t memory_number();

/// A hash of the cores (hardware threads) that this process may run on, with how many they are.
std::uint64_t cores_number();
/// How many cores such a number is of; 0: not known.
std::int64_t cores_in(std::uint64_t number);

/// The placement of ranks with these hashes, numbered in the order of their first ranks. All ranks
/// are in one group where a rank has no group or a node lies in two.
Placement placement_of(const std::vector<std::uint64_t>& nodes,
                       const std::vector<std::uint64_t>& groups);

}  // namespace hopbine::mpi
