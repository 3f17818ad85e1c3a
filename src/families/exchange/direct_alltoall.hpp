/// Alltoall algorithms that send every block directly from its origin to its destination.
#pragma once
#include "schedule/schedule.hpp"

namespace hopbine::direct_alltoall {

/// Exchanges in batches: rank r with r + 1, r + 2, ... and r - 1, r - 2, ... (mod p). `batch` >= 1
/// of each are in flight together.
SchedulePtr batches(int p, std::int64_t batch);
/// One step with all exchanges; each rank addresses the others in rank order.
SchedulePtr in_rank_order(int p);
/// Pairwise exchange for p a power of two: in step s rank r exchanges with r xor (s + 1).
SchedulePtr exclusive_or(int p);

}  // namespace hopbine::direct_alltoall
