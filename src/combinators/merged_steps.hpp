/// Merging of reduce_scatter steps, which gives a radix to algorithms without one.
#pragma once
#include "schedule/schedule.hpp"

namespace hopbine {

/// Merges every `many` steps of a reduce_scatter of p ranks into one. Each contribution goes
/// directly to the rank where `inner` has it after these steps, without being reduced on the way. A
/// butterfly becomes one of radix 2^many: 2^many - 1 partners in flight together, the same number
/// of bytes per rank, and a `many`th of the steps.
SchedulePtr merged_steps(SchedulePtr inner, int p, int many);

}  // namespace hopbine
