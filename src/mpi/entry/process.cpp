// Functions that the preload library calls once per process, and those for benchmarks.
#include "mpi/entry/nonblocking.hpp"
#include "mpi/entry/persistent.hpp"
#include "mpi/state/communicator.hpp"
#include "mpi/state/lessons.hpp"
#include "mpi/state/log.hpp"
#include "mpi/state/settings.hpp"
#include "mpi/state/stats.hpp"
#include "mpi/state/world.hpp"

using namespace hopbine::mpi;

#define HOPBINE_EXPORT __attribute__((visibility("default")))

extern "C" {

/// Called after MPI_Init.
HOPBINE_EXPORT void hopbine_begin(presence found) {
    try {
        World::begin(found);
    } catch (const std::exception& e) {
        say_rank(std::string("the MPI library serves all calls: ") + e.what());
    }
}

/// Called before MPI_Finalize: writes statistics and what was learned, and frees hopbine's
/// communicators. From here on the MPI library serves every call.
HOPBINE_EXPORT void hopbine_finalize(void) {
    if (!World::alive()) return;
    try {
        write_stats(settings().stats);
    } catch (const std::exception& e) {
        say_rank(std::string("no statistics: ") + e.what());
    }
    try {
        write_lessons();
    } catch (const std::exception& e) {
        say(std::string("what was learned is lost: ") + e.what());
    }
    end_nonblocking();
    end_persistent();
    Communicator::end_all();
    World::end();
}

/// Size of MPI_COMM_WORLD.
HOPBINE_EXPORT int hopbine_world_size(void) {
    int size = 1;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// Sets the algorithms from the next call on, as HOPBINE_ALGORITHM does; null restores the
/// settings. All ranks must call it with the same text. Returns 0, or 1 with a message on standard
/// error.
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
