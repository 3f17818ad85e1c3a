/// What hopbine has served on all ranks of the job, by kind, for the line at the job's end.
#pragma once
#include <atomic>
#include <cstdint>

#include "select/crossing.hpp"

namespace hopbine::mpi {

struct Chosen;
class Group;
struct Plan;

/// Calls of a kind. Blocking ones only.
struct ServedTally {
    std::atomic<std::int64_t> calls{0}, bytes{0};
    void add(std::int64_t moved) {
        calls.fetch_add(1, std::memory_order_relaxed);
        bytes.fetch_add(moved, std::memory_order_relaxed);
    }
};

/// The tally of calls on all ranks in their order, whose bytes can be counted from the schedule.
/// Its address stays valid. Null where there are very many.
ServedTally* served_tally(const Plan& plan, Group& group, Collective c, std::int64_t bytes,
                          int root, const Chosen& chosen);

/// Counts bytes between the units, of the kinds with most bytes first, until the seconds are over.
select::Crossing served_crossing(const Placement& units, double seconds);

}  // namespace hopbine::mpi
