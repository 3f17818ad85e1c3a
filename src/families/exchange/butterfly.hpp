/// Binomial butterflies: partners differ in one bit of their rank. What Bine butterflies are
/// compared with.
#pragma once
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine::butterfly {

/// Blocks of rank i are [starts[i], starts[i+1]); ranks = starts.size() - 1, a power of two.
using Starts = std::vector<Block>;
/// `blocks` blocks split as evenly as can be.
Starts even(int ranks, int blocks);

/// Where the partner of step t is: 2^t further if bit t of the rank is 0 and 2^t back otherwise
/// (the rank XOR 2^t), or the other way round, modulo the number of ranks. Both change bit t and
/// none below, so both reach every rank on one path; on a ring they use links that the other leaves
/// free (Swing Sec. 4.1, mirrored).
enum class Sign { plain, flipped };

/// Recursive doubling on whole vectors; combines neighbouring rank intervals, so that order is
/// kept.
SchedulePtr whole_vector(int ranks, int blocks, Sign sign = Sign::plain);
/// Recursive halving reduce_scatter, farthest partner first: rank i ends with its blocks.
SchedulePtr halving(Starts starts);
/// Vector halving, distance doubling (Rabenseifner): of two partners the one with bit 0 keeps the
/// first half of its window; rank i ends with the blocks of the rank whose number is i with its
/// bits reversed.
SchedulePtr doubling(Starts starts, Sign sign = Sign::plain);
/// After `doubling`: the windows are put together again on the way to the root.
SchedulePtr gather(Starts starts, int root);

}  // namespace hopbine::butterfly
