/// Alltoalls in which every block goes straight from its origin to its destination.
#pragma once
#include "schedule/schedule.hpp"

namespace hopbine::direct_alltoall {

/// Rank r exchanges with r + 1, r + 2, ... and r - 1, r - 2, ... (mod p), `batch` >= 1 of each in
/// flight together.
SchedulePtr batches(int p, std::int64_t batch);
/// Everything at once, each rank taking the others in the order of their ranks.
SchedulePtr in_rank_order(int p);
/// p a power of two: in step s rank r exchanges with r xor (s + 1).
SchedulePtr exclusive_or(int p);

}  // namespace hopbine::direct_alltoall
