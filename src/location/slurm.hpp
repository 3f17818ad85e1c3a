/// What Slurm tells a process of its node and of the nodes' groups.
#pragma once
#include <optional>
#include <string>

#include "location/environment.hpp"

namespace hopbine::location {

/// Whether a variable, by its name, is one of Slurm's or one that the next function looks at.
bool is_of_launchers(std::string_view variable);
/// Whether a launcher other than Slurm's srun has started this process: it may have Slurm's
/// variables of another node.
bool is_of_other_launcher(const Environment& environment);
/// SLURMD_NODENAME in a task of srun.
std::optional<std::string> slurm_node(const Environment& environment);
/// The group of Slurm's SLURM_TOPOLOGY_ADDR (top.s3.nid001: the switch below the top). Nothing if
/// it is not set, or if another launcher than srun has started this process, maybe on another node.
std::optional<std::string> slurm_group(const Environment& environment);
/// Slurm's topology.yaml, else topology.conf, as Slurm itself takes them: beside SLURM_CONF, or in
/// /etc/slurm. Empty if none can be read.
std::string slurm_topology_file(const Environment& environment);

}  // namespace hopbine::location
