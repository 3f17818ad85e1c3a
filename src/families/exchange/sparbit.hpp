/// Sparbit allgather (Loch and Koslovski, SBAC-PAD'21).
#pragma once
#include "schedule/schedule.hpp"

namespace hopbine {

/// Any p; one message per block, which needs no reordering in memory.
SchedulePtr sparbit(int p);

}  // namespace hopbine
