/// Extension to odd p: a schedule for p - 1 ranks, and direct exchanges with the last rank.
#pragma once
#include <functional>

#include "schedule/schedule.hpp"

namespace hopbine {

/// Runs `inner` on ranks 0..p-2; rank p-1 exchanges directly with every other rank. In each step it
/// does so with about half of those that are left, as the messages of a halving schedule shrink, so
/// that no step grows by much. A rank sends the blocks `to_last(rank)` to rank p-1 and receives
/// `from_last(rank)` from it. `halvings`: of a step of `inner`, where it takes several at once.
SchedulePtr direct_last(SchedulePtr inner, int p, std::function<BlockSet(int rank)> to_last,
                        std::function<BlockSet(int rank)> from_last, Op op, int halvings = 1);

}  // namespace hopbine
