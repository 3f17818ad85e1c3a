#include "location/this_node.hpp"

#include "location/groups.hpp"
#include "location/slurm.hpp"
#include "location/xname.hpp"

namespace hopbine::location {

bool tells_place(std::string_view variable) {
    return is_hopbines(variable) || is_of_launchers(variable);
}

std::optional<std::string> told_node(const Environment& environment) {
    const std::string& given = value_of(environment, "HOPBINE_NODE");
    return given.empty() ? slurm_node(environment) : given;
}

std::string own_group(const Environment& environment) {
    const bool in_slurm = !value_of(environment, "SLURM_JOB_ID").empty();
    const std::string group = in_slurm ? slurm_group(environment).value_or("") : "";
    return group.empty() ? cabinet_of_this_node() : group;
}

std::string group_of_process(const Environment& environment, const std::string& node) {
    if (const auto told = environment.find("HOPBINE_GROUP"); told != environment.end())
        return told->second;
    const std::string& groups = value_of(environment, "HOPBINE_GROUPS");
    return groups.empty() ? own_group(environment) : group_in(groups, node);
}

}  // namespace hopbine::location
