/// Sparbit allgather (Loch and Koslovski, SBAC-PAD'21).
#pragma once
#include "schedule/schedule.hpp"

namespace hopbine {

/// Sparbit for any p, with one message per block, so that no block is moved in memory.
SchedulePtr sparbit(int p);

}  // namespace hopbine
