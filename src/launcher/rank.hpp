/// The rank that this process is, if a launcher has started it.
#pragma once
#include <optional>
#include <string>

#include "launcher/environment.hpp"

namespace hopbine::launcher {

/// This process's rank, if the launcher tells it.
std::optional<int> world_rank(const Environment& environment);
/// The number of ranks, if the launcher tells it. Slurm is asked in a step only: else it tells that
/// of the allocation.
std::optional<int> world_size(const Environment& environment);
/// This node's name: HOPBINE_NODE, else SLURMD_NODENAME in a task of srun, else that of the host.
std::string node_name(const Environment& environment);
/// A message of this rank, with the rank and its host: the other ranks may have none.
std::string message_of_rank(const Environment& environment, const std::string& what);
/// A message that is the same on all ranks.
std::string message_of_all(const std::string& what);

}  // namespace hopbine::launcher
