/// Odd p: a schedule for p - 1 ranks, and the last rank served directly.
#pragma once
#include <functional>

#include "schedule/schedule.hpp"

namespace hopbine {

/// `inner` runs among ranks 0..p-2; rank p-1 exchanges one message each way with every other rank.
/// In step s about (p-1)/2^(s+1) of them take part, as messages of a halving schedule shrink, so
/// that no step grows by much. `to_last(rank)` are the blocks rank sends to rank p-1,
/// `from_last(rank)` those it receives from it.
SchedulePtr direct_last(SchedulePtr inner, int p, std::function<BlockSet(int rank)> to_last,
                        std::function<BlockSet(int rank)> from_last, Op op);

}  // namespace hopbine
