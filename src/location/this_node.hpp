/// The node that a process runs on, and its group, without a machine's description.
#pragma once
#include <optional>
#include <string>

#include "location/environment.hpp"

namespace hopbine::location {

/// Whether a variable, by its name, is one that the functions here look at.
bool tells_place(std::string_view variable);
/// The node as the job tells it: HOPBINE_NODE, else SLURMD_NODENAME in a task of srun.
std::optional<std::string> told_node(const Environment& environment);
/// The group that Slurm tells a task, else the node's cabinet by its xname; empty if neither is
/// known. Throws Error.
std::string own_group(const Environment& environment);
/// The group of this process: HOPBINE_GROUP, else that of `node` in HOPBINE_GROUPS, else own_group.
/// Throws Error.
std::string group_of_process(const Environment& environment, const std::string& node);

}  // namespace hopbine::location
