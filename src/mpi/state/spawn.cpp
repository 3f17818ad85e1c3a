// Runs children of MPI_Comm_spawn under hopbine: env(1) gives them their parents' preload and
// settings.
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "location/environment.hpp"

extern "C" char** environ;

namespace {

constexpr const char* kEnv = "/usr/bin/env";

/// Storage of one spawn, until the next one of this thread.
thread_local std::vector<std::string> words;
thread_local std::vector<char*> pointers;

/// Whether the program is found here as the launcher finds it. If not, the launcher reports that,
/// not env.
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

/// Whether the program asks for a directory in which another program may have this name.
bool looks_elsewhere(MPI_Info info) {
    if (info == MPI_INFO_NULL) return false;
    for (const char* key : {"wdir", "path"}) {
        int length = 0, found = 0;
        if (PMPI_Info_get_valuelen(info, const_cast<char*>(key), &length, &found) != MPI_SUCCESS ||
            found)
            return true;
    }
    return false;
}

/// Whether children get the variable. Statistics are for the parents alone; node and group belong
/// to each process.
bool is_inherited(const std::string& variable) {
    for (const char* own : {"HOPBINE_STATS=", "HOPBINE_NODE=", "HOPBINE_GROUP="})
        if (variable.starts_with(own)) return false;
    return hopbine::location::is_hopbines(variable);
}

}  // namespace

/// Replaces command and argv, which are significant at the root only, by a call of env.
extern "C" __attribute__((visibility("default"))) void hopbine_spawn(const char** command,
                                                                     char*** argv, MPI_Info info,
                                                                     int root, MPI_Comm comm) {
    int rank = -1;
    PMPI_Comm_rank(comm, &rank);
    if (rank != root || !*command || access(kEnv, X_OK) != 0 || looks_elsewhere(info) ||
        !is_here(*command))
        return;
    words.clear();
    for (char** v = environ; *v; ++v)
        if (is_inherited(*v)) words.emplace_back(*v);
    words.emplace_back(*command);
    for (char** a = *argv; a && *a; ++a) words.emplace_back(*a);
    pointers.clear();
    for (std::string& w : words) pointers.push_back(w.data());
    pointers.push_back(nullptr);
    *command = kEnv;
    *argv = pointers.data();
}
