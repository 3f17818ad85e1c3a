/// How children of MPI_Comm_spawn are run under hopbine: env(1) gives them their parents' preload
/// and settings.
#pragma once
#include <string>
#include <vector>

namespace hopbine::location {

/// The words that are run in place of a command, before its arguments; the first is env's path.
/// Empty: the child is run as it is, since there is no env, or the program is not found here as the
/// launcher finds it: then the launcher reports that, not env. `entries`: the environment.
std::vector<std::string> child_command(const std::string& command, const char* const* entries);

}  // namespace hopbine::location
