// What the preload stub calls once per process: after MPI_Init, before MPI_Finalize, and for
// benchmarks.
#include "mpi/entry/persistent.hpp"
#include "mpi/state/communicator.hpp"
#include "mpi/state/log.hpp"
#include "mpi/state/settings.hpp"
#include "mpi/state/stats.hpp"
#include "mpi/state/world.hpp"

using namespace hopbine::mpi;

#define HOPBINE_EXPORT __attribute__((visibility("default")))

extern "C" {

/// MPI has been initialised.
HOPBINE_EXPORT void hopbine_begin(presence found) {
    try {
        World::begin(found);
    } catch (const std::exception& e) {
        say_rank(std::string("the MPI library serves all calls: ") + e.what());
    }
}

/// Before MPI_Finalize: statistics out, communicators of hopbine's freed. From here on the MPI
/// library serves everything.
HOPBINE_EXPORT void hopbine_finalize(void) {
    if (!World::alive()) return;
    try {
        write_stats(settings().stats);
    } catch (const std::exception& e) {
        say_rank(std::string("no statistics: ") + e.what());
    }
    end_requests();
    Communicator::end_all();
    World::end();
}

/// Ranks of MPI_COMM_WORLD.
HOPBINE_EXPORT int hopbine_world_size(void) {
    int size = 1;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// Algorithms to use from the next call on, as in HOPBINE_ALGORITHM; null: the settings again. To
/// be called by all ranks alike. 0, or 1 with a message on standard error.
HOPBINE_EXPORT int hopbine_select(const char* algorithms) {
    try {
        override_algorithms(algorithms);
        ++Communicator::epoch;
        return 0;
    } catch (const std::exception& e) {
        say_once(e.what());
        return 1;
    }
}
}
