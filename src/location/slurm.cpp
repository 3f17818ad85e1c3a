#include "location/slurm.hpp"

#include <unistd.h>

#include <sstream>
#include <vector>

#include "preload/slurm_node.h"

namespace hopbine::location {

namespace {

const char* variable(const char* name, const void* environment) {
    return value_of(*static_cast<const Environment*>(environment), name).c_str();
}

/// The parts of a topology address, which has dots between them.
std::vector<std::string> parts(const std::string& address) {
    std::istringstream in(address);
    std::vector<std::string> out;
    for (std::string part; std::getline(in, part, '.');) out.push_back(part);
    return out;
}

}  // namespace

bool is_of_other_launcher(const Environment& environment) {
    return hopbine_is_of_other_launcher(variable, &environment);
}

std::optional<std::string> slurm_node(const Environment& environment) {
    const char* node = hopbine_slurm_node(variable, &environment);
    return node ? std::optional<std::string>(node) : std::nullopt;
}

std::optional<std::string> slurm_group(const Environment& environment) {
    if (is_of_other_launcher(environment)) return {};
    const auto kinds = parts(value_of(environment, "SLURM_TOPOLOGY_ADDR_PATTERN"));
    const auto names = parts(value_of(environment, "SLURM_TOPOLOGY_ADDR"));
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
