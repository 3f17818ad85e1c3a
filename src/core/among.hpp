/// Schedules for fewer ranks than there are.
#pragma once
#include <functional>
#include <vector>

#include "core/schedule.hpp"

namespace hopbine {

/// Some of the ranks and what they do: members[v] plays rank v of the schedule.
struct Team {
    SchedulePtr schedule;
    std::vector<int> members;
    /// What blocks of the team's schedule stand for; the same numbers when it is not given.
    std::function<BlockSet(const BlockSet&)> blocks = {};
};

/// Teams with no rank in common work at the same time; of the p ranks those in no team are idle, as
/// are teams that are done.
SchedulePtr side_by_side(std::vector<Team> teams, int p);

/// `inner` runs among members: rank members[v] plays its rank v; of the p ranks all others are
/// idle. Blocks keep their numbers.
SchedulePtr among(SchedulePtr inner, std::vector<int> members, int p);

}  // namespace hopbine
