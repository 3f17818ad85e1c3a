/// The group of this node, where it can be told without reading a machine's description.
#pragma once
#include <optional>
#include <string>

#include "launcher/environment.hpp"

namespace hopbine::launcher {

/// The group of a host in HOPBINE_GROUPS, such as "g0=n[001-004,007];g1=n[005-006]"; its domain may
/// be missing there. Throws Error if the text is malformed or the host is in no group.
std::string group_in(const std::string& groups, const std::string& host);
/// The group of Slurm's SLURM_TOPOLOGY_ADDR (top.s3.nid001: the switch below the top). Nothing if
/// it is not set, or if another launcher than srun has started this process, maybe on another node.
std::optional<std::string> slurm_group(const Environment& environment);
/// Slurm's topology.yaml, else topology.conf, as Slurm itself takes them: beside SLURM_CONF, or in
/// /etc/slurm. Empty if none can be read.
std::string slurm_topology_file(const Environment& environment);

}  // namespace hopbine::launcher
