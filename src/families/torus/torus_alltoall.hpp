/// Alltoall on a torus, one dimension after the other.
#pragma once
#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace hopbine::torus {

/// Along each dimension every rank sends to every other coordinate, one per step, all blocks that
/// it has for ranks with this coordinate. Every block takes at most one message per dimension, on
/// rings of the torus only.
SchedulePtr alltoall(const Problem& q);
/// Steps of it.
int alltoall_steps(const Problem& q);

}  // namespace hopbine::torus
