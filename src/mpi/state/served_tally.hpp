/// What hopbine has served on all ranks of the job, by kind, for the line at the job's end.
#pragma once
#include <atomic>
#include <cstdint>

#include "select/crossing.hpp"

namespace hopbine::mpi {

/// Calls of a kind. Blocking ones only.
struct ServedTally {
    std::atomic<std::int64_t> calls{0}, bytes{0};
    void add(std::int64_t moved) {
        calls.fetch_add(1, std::memory_order_relaxed);
        bytes.fetch_add(moved, std::memory_order_relaxed);
    }
};

/// Counts bytes between the units, of the kinds with most bytes first, until the seconds are over.
select::Crossing served_crossing(const Placement& units, double seconds);

}  // namespace hopbine::mpi
