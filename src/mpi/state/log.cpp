#include "mpi/state/log.hpp"

#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <set>

#include "schedule/bounds.hpp"

namespace hopbine::mpi {

namespace {

/// Rank in MPI_COMM_WORLD; 0 before MPI_Init and after MPI_Finalize.
int world_rank() {
    int begun = 0, ended = 0, rank = 0;
    PMPI_Initialized(&begun);
    PMPI_Finalized(&ended);
    if (begun && !ended) PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

}  // namespace

void say(const std::string& what) {
    std::fprintf(stderr, "hopbine: %s\n", printable(what).c_str());
}

void say_rank(const std::string& what) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    say("rank " + std::to_string(world_rank()) + " on " + host + ": " + what);
}

void say_once(const std::string& what) { say_once(what, world_rank() == 0); }

void say_once(const std::string& what, bool here) {
    static std::mutex lock;
    static std::set<std::string> said;
    const std::lock_guard hold(lock);
    if (said.insert(what).second && here) say(what);
}

}  // namespace hopbine::mpi
