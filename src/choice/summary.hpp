/// Reports in one line at the job's end what hopbine did (HOPBINE_SUMMARY).
#pragma once
#include <atomic>
#include <cstdint>
#include <string>

#include "preload/call_counts.h"
#include "select/crossing.hpp"

namespace hopbine::mpi {

struct Chosen;
class Members;
struct Plan;

/// Notes when the job began. Called after MPI_Init. `rank`: in MPI_COMM_WORLD. `spawned`: by
/// MPI_Comm_spawn.
void begin_summary(int rank, bool spawned);
/// Whether this rank is to report at the end: what it needs is noted only then. World rank 0 does.
bool reports();
/// Notes why the MPI library serves calls of so many kinds. 0: told where there is no other reason.
void note_unserved(const std::string& why, int kinds = 1);
/// Prints the line where it is wanted; without communication. Called before MPI_Finalize. False:
/// nothing was printed.
bool end_summary(const call_counts& counts);

/// Calls of a kind. Blocking ones only. Relaxed: they are read once the calls are over.
struct ServedTally {
    std::atomic<std::int64_t> calls{0}, bytes{0};
    void add(std::int64_t moved) {
        calls.fetch_add(1, std::memory_order_relaxed);
        bytes.fetch_add(moved, std::memory_order_relaxed);
    }
};

/// The tally of calls on all ranks in their order, whose bytes can be counted from the schedule.
/// Its address stays valid. Null where there are very many.
ServedTally* served_tally(const Plan& plan, Members& group, Collective c, std::int64_t bytes,
                          int root, const Chosen& chosen);

/// Counts bytes between the units, of the kinds with most bytes first, until the seconds are over.
select::Crossing served_crossing(const Placement& units, double seconds);

}  // namespace hopbine::mpi
