/// Schedules on subsets of the ranks.
#pragma once
#include <functional>
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine {

/// Some of the ranks and their schedule: members[v] is rank v of it.
struct Subset {
    SchedulePtr schedule;
    std::vector<int> members;
    /// What blocks of the subset's schedule stand for; the same numbers when it is not given.
    std::function<BlockSet(const BlockSet&)> blocks = {};
};

/// Subsets with no rank in common, at the same time. Ranks in no subset are idle, as are subsets
/// that are done.
SchedulePtr side_by_side(std::vector<Subset> subsets, int p);

/// `inner` on some of p ranks: members[v] is its rank v, all others are idle. Blocks keep their
/// numbers.
SchedulePtr on_subset(SchedulePtr inner, std::vector<int> members, int p);

}  // namespace hopbine
