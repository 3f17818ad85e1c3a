/// Several steps of a reduce_scatter at once: a radix for algorithms that have none.
#pragma once
#include "schedule/schedule.hpp"

namespace hopbine {

/// A reduce_scatter in which every contribution goes at once to where `inner` would have it after
/// `many` of its steps, without being added to others on the way. Of a butterfly that is one of
/// radix 2^many: 2^many - 1 partners in flight together, as many bytes from every rank, a `many`th
/// of the steps.
SchedulePtr merged_steps(SchedulePtr inner, int many);

}  // namespace hopbine
