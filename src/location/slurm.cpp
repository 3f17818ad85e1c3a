#include "location/slurm.hpp"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "schedule/parts_of.hpp"

namespace hopbine::location {

namespace {

/// Variables that only other launchers set: Hydra of MPICH and its kin, Open MPI's, PALS, Flux and
/// jsrun. What they start inside a Slurm job may inherit the variables of the task that called
/// them, which can be on another node.
constexpr const char* kOtherLaunchers[] = {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_RANK", "PALS_RANKID",
                                           "FLUX_TASK_RANK", "JSM_NAMESPACE_RANK"};

}  // namespace

bool is_of_launchers(std::string_view variable) {
    return variable.starts_with("SLURM") ||
           std::ranges::find(kOtherLaunchers, variable) != std::end(kOtherLaunchers);
}

bool is_of_other_launcher(const Environment& environment) {
    return std::ranges::any_of(
        kOtherLaunchers, [&](const char* name) { return !value_of(environment, name).empty(); });
}

std::optional<std::string> slurm_node(const Environment& environment) {
    const std::string& node = value_of(environment, "SLURMD_NODENAME");
    const bool in_step = !value_of(environment, "SLURM_STEP_ID").empty();
    if (node.empty() || !in_step || is_of_other_launcher(environment)) return {};
    return node;
}

std::optional<std::string> slurm_group(const Environment& environment) {
    if (is_of_other_launcher(environment)) return {};
    const auto kinds = parts_of(value_of(environment, "SLURM_TOPOLOGY_ADDR_PATTERN"), '.');
    const auto names = parts_of(value_of(environment, "SLURM_TOPOLOGY_ADDR"), '.');
    std::vector<std::string> switches;
    for (std::size_t i = 0; i < std::min(kinds.size(), names.size()); ++i)
        if (kinds[i] == "switch" || kinds[i] == "block") switches.push_back(names[i]);
    if (switches.empty()) return {};
    return switches.size() > 1 ? switches[1] : switches[0];
}

std::string slurm_topology_file(const Environment& environment) {
    const std::string& conf = value_of(environment, "SLURM_CONF");
    const std::size_t slash = conf.rfind('/');
    const std::string folder = conf.empty()         ? "/etc/slurm"
                               : slash == conf.npos ? "."
                                                    : conf.substr(0, slash);
    for (const char* name : {"/topology.yaml", "/topology.conf"})
        if (const std::string file = folder + name; !::access(file.c_str(), R_OK)) return file;
    return "";
}

}  // namespace hopbine::location
