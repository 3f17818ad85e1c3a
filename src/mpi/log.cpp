#include "mpi/log.hpp"

#include <mpi.h>

#include <cstdio>
#include <mutex>
#include <set>

#include "core/bounds.hpp"

namespace hopbine::mpi {

void say(const std::string& what) { std::fprintf(stderr, "hopbine: %s\n", printable(what).c_str()); }

void say_once(const std::string& what) {
    static std::mutex lock;
    static std::set<std::string> said;
    const std::lock_guard hold(lock);
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (said.insert(what).second && rank == 0) say(what);
}

}  // namespace hopbine::mpi
