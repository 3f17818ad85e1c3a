/// A schedule for fewer ranks than there are.
#pragma once
#include <vector>

#include "core/schedule.hpp"

namespace hopbine {

/// `inner` runs among members: rank members[v] plays its rank v; of the p ranks all others are idle. Blocks keep their numbers.
SchedulePtr among(SchedulePtr inner, std::vector<int> members, int p);

}  // namespace hopbine
