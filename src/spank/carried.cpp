#include "spank/carried.hpp"

#include <cstdlib>
#include <cstring>

#include "location/environment.hpp"

extern char** environ;

namespace hopbine::spank {

namespace {

/// srun hands on what begins with SLURM_, whatever --export says.
constexpr const char* kOnTheWay = "SLURM_HOPBINE_TASK_";

}  // namespace

void carry(const std::vector<std::string>& entries) {
    location::Environment wanted;
    for (const std::string& entry : entries) {
        const std::size_t equals = entry.find('=');
        wanted[kOnTheWay + entry.substr(0, equals)] = entry.substr(equals + 1);
    }
    for (const Carried& old : carried(environ))
        if (!wanted.count(old.as)) ::unsetenv(old.as.c_str());
    const location::Environment there = location::environment_of(environ);
    for (const auto& [name, value] : wanted)
        if (!there.count(name) || there.at(name) != value) ::setenv(name.c_str(), value.c_str(), 1);
}

std::vector<Carried> carried(const char* const* environment) {
    std::vector<Carried> out;
    for (const auto& [name, value] : location::environment_of(environment))
        if (name.starts_with(kOnTheWay))
            out.push_back({name, name.substr(std::strlen(kOnTheWay)), value});
    return out;
}

}  // namespace hopbine::spank
