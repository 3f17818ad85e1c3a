#include "mpi/watch/watched_comms.hpp"

#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi/state/world.hpp"
#include "mpi/watch/names.hpp"
#include "schedule/hash.hpp"
#include "watch/calls.h"
#include "watch/text.hpp"

namespace hopbine::mpi {

namespace {

std::mutex comms_lock;

/// The place for a handle: its own, else a free one; null: the table is full around it.
watch_comm* place_for(watch_record& record, std::uint64_t handle) {
    watch_comm* free = nullptr;
    const std::uint32_t first = watch_place(handle);
    for (std::uint32_t step = 0; step < WATCH_STEPS; ++step) {
        watch_comm& one = record.comms[(first + step) % WATCH_COMMS];
        if (one.handle == handle) return &one;
        if (one.handle <= 1 && !free) free = &one;
        if (one.handle == 0) break;
    }
    return free;
}

std::uint64_t id_of(MPI_Comm comm) {
    static std::map<std::uint64_t, std::uint64_t> made;
    const std::vector<int> members = World::get().members(comm);
    const std::uint64_t those =
        fnv1a({reinterpret_cast<const char*>(members.data()), members.size() * sizeof(int)});
    const std::uint64_t numbers[] = {those, made[those]++};
    return fnv1a({reinterpret_cast<const char*>(numbers), sizeof numbers}) | 1;
}

}  // namespace

void add_comm(watch_record& record, MPI_Comm comm, MPI_Comm parent, std::uint32_t function,
              const void* site) {
    const std::lock_guard hold(comms_lock);
    int two_groups = 0;  // where ranks' roots and counts differ rightly
    PMPI_Comm_test_inter(comm, &two_groups);
    if (two_groups) return;
    // One that MPI_Comm_idup is still making tells nothing of itself.
    const MPI_Comm told = function == WATCH_Comm_idup ? parent : comm;
    watch_comm made{};
    made.handle = word_of(comm);
    made.id = id_of(told);
    made.made_by = function;
    made.made_at = reinterpret_cast<std::uint64_t>(site);
    PMPI_Comm_size(told, &made.size);
    PMPI_Comm_rank(told, &made.rank);
    if (told == comm) {
        char name[MPI_MAX_OBJECT_NAME + 1] = {};
        int length = 0;
        PMPI_Comm_get_name(comm, name, &length);
        watch::set_text(made.name, name);
    }
    if (watch_comm* const place = place_for(record, made.handle)) {
        // The handle last: the watcher reads what it means after it.
        const std::uint64_t handle = std::exchange(made.handle, 1);
        *place = made;
        __atomic_store_n(&place->handle, handle, __ATOMIC_RELEASE);
    } else {
        record.lost = 1;
    }
}

}  // namespace hopbine::mpi
