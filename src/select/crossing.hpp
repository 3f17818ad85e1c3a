/// Bytes between groups of calls that hopbine has served, and of the classic algorithms for them.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine::select {

/// Calls of one kind.
struct ServedCalls {
    const Algorithm* algorithm = nullptr;
    Problem problem;         ///< the root is the caller's
    std::vector<int> order;  ///< schedule rank v is rank order[v]; empty: as given
    std::int64_t calls = 0;
    double bytes = 0;  ///< of all calls: the vector, or a block times p
};

struct Crossing {
    std::int64_t calls = 0;           ///< that were counted
    double classic = 0, served = 0;   ///< bytes
    bool groups = true;               ///< false: between nodes, where the ranks are in one group
    void add(const Crossing& other);  ///< of the same ranks
};

/// Reorders a placement: rank v of the schedule is rank order[v]. An empty order changes nothing.
Placement reordered(const Placement& place, const std::vector<int>& order);
/// The placement that decides what crosses: groups, or nodes where all ranks are in one group.
/// `groups` tells which.
Placement scarce_units(const Placement& place, bool* groups);
/// Counts the schedules. `units`: of scarce_units().
Crossing crossing(const ServedCalls& calls, const Placement& units);

}  // namespace hopbine::select
