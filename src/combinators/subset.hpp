/// Schedules on subsets of the ranks.
#pragma once
#include <functional>
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine {

/// A schedule on some of the ranks: its rank v is members[v].
struct Subset {
    SchedulePtr schedule;
    std::vector<int> members;
    /// Maps the blocks of the subset's schedule; block numbers are kept by default.
    std::function<BlockSet(const BlockSet&)> blocks = {};
};

/// Runs disjoint subsets at the same time. Ranks in no subset are idle, as is a subset that has
/// completed.
SchedulePtr side_by_side(std::vector<Subset> subsets, int p);

/// Runs `inner` on some of p ranks: its rank v is members[v], all others are idle. Block numbers
/// are kept.
SchedulePtr on_subset(SchedulePtr inner, std::vector<int> members, int p);

}  // namespace hopbine
