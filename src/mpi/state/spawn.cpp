// Runs children of MPI_Comm_spawn under hopbine.
#include <mpi.h>

#include <string>
#include <vector>

#include "location/child_command.hpp"

extern "C" char** environ;

namespace {

/// Storage of one spawn, until the next one of this thread.
thread_local std::vector<std::string> words;
thread_local std::vector<char*> pointers;

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

}  // namespace

/// Replaces command and argv, which are significant at the root only, by a call of env.
extern "C" __attribute__((visibility("default"))) void hopbine_spawn(const char** command,
                                                                     char*** argv, MPI_Info info,
                                                                     int root, MPI_Comm comm) {
    int rank = -1;
    PMPI_Comm_rank(comm, &rank);
    if (rank != root || !*command || looks_elsewhere(info)) return;
    words = hopbine::location::child_command(*command, environ);
    if (words.empty()) return;
    for (char** a = *argv; a && *a; ++a) words.emplace_back(*a);
    pointers.clear();
    for (std::string& w : words) pointers.push_back(w.data());
    pointers.push_back(nullptr);
    *command = pointers.front();
    *argv = pointers.data() + 1;
}
