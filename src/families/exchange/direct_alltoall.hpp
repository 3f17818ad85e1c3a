/// Alltoall algorithms that send every block directly from its origin to its destination.
#pragma once
#include "schedule/algorithm.hpp"
#include "schedule/schedule.hpp"

namespace hopbine::direct_alltoall {

/// Exchanges in batches: rank r with r + 1, r + 2, ... and r - 1, r - 2, ... (mod p). `batch` >= 1
/// of each are in flight together.
SchedulePtr batches(int p, std::int64_t batch);
/// Exchanges in batches whose messages are spread over the groups of the ranks.
///
/// Shifts by s load few links between groups at a time: all ranks of a group send to one or two
/// other groups. Here rank r sends to the ranks at positions spread(r) + s of the ranks sorted by
/// group. Members of a group are evenly spaced in `spread`, a permutation: in every exchange a
/// group sends to every other group in proportion to its size, for any p and any sizes of groups.
/// Where groups are equal and consecutive, members take turns among the groups ahead, to the same
/// end.
///
/// With one group, or one rank in each, these are the shifts of `batches`.
SchedulePtr balanced(const Problem& q);
Claim balanced_claim(const Problem& q);
/// Number of messages that a rank has in flight; a batch starts when all of the previous one have
/// completed (MPICH's scattered, MPIR_CVAR_ALLTOALL_THROTTLE).
constexpr Parameter throttle(std::int64_t fallback) {
    return {"batch", Kind::batch, 1,
            1 << 20, fallback,    "messages to as many ranks are in flight together"};
}

/// One step with all exchanges; each rank addresses the others in rank order.
SchedulePtr in_rank_order(int p);
/// In step s every other rank sends to rank s: one message of a sender is in flight.
SchedulePtr to_each_in_turn(int p);
/// Pairwise exchange for p a power of two: in step s rank r exchanges with r xor (s + 1).
SchedulePtr exclusive_or(int p);

}  // namespace hopbine::direct_alltoall
