#include "location/child_command.hpp"

#include <unistd.h>

#include <cstdlib>

#include "location/environment.hpp"

namespace hopbine::location {

namespace {

constexpr const char* kEnv = "/usr/bin/env";

/// Whether the program is found here.
bool is_here(const std::string& command) {
    if (command.find('/') != std::string::npos) return access(command.c_str(), X_OK) == 0;
    const char* path = std::getenv("PATH");
    for (std::string rest = path ? path : ""; !rest.empty();) {
        const auto end = rest.find(':');
        if (access((rest.substr(0, end) + '/' + command).c_str(), X_OK) == 0) return true;
        rest = end == std::string::npos ? "" : rest.substr(end + 1);
    }
    return false;
}

/// Whether children get the variable. Statistics are for the parents alone; node and group belong
/// to each process.
bool is_inherited(const std::string& variable) {
    for (const char* own : {"HOPBINE_STATS=", "HOPBINE_NODE=", "HOPBINE_GROUP="})
        if (variable.starts_with(own)) return false;
    return is_hopbines(variable);
}

}  // namespace

std::vector<std::string> child_command(const std::string& command, const char* const* entries) {
    if (access(kEnv, X_OK) != 0 || !is_here(command)) return {};
    std::vector<std::string> out{kEnv};
    for (const char* const* v = entries; *v; ++v)
        if (is_inherited(*v)) out.emplace_back(*v);
    out.push_back(command);
    return out;
}

}  // namespace hopbine::location
