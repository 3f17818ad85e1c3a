/// Binomial butterflies: partners differ in one bit of their rank. Bine butterflies are compared
/// with these.
#pragma once
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine::butterfly {

/// Blocks of rank i are [starts[i], starts[i+1]); ranks = starts.size() - 1, a power of two.
using Starts = std::vector<Block>;
/// Starts of `blocks` blocks divided as evenly as possible.
Starts even(int ranks, int blocks);

/// Direction of the partner in step t, modulo the number of ranks.
/// - plain: 2^t ahead if bit t of the rank is 0, else 2^t back (the rank XOR 2^t)
/// - flipped: the opposite direction
///
/// Both change bit t and no lower bit, so both reach every rank on one path. On a ring each uses
/// the links that the other leaves free (Swing Sec. 4.1, mirrored).
enum class Sign { plain, flipped };

/// Recursive doubling on whole vectors. Combines neighbouring intervals of ranks, which keeps their
/// order.
SchedulePtr whole_vector(int ranks, int blocks, Sign sign = Sign::plain);
/// Recursive halving reduce_scatter, farthest partner first. Rank i ends with its own blocks.
SchedulePtr halving(Starts starts);
/// Vector-halving, distance-doubling reduce_scatter (Rabenseifner). Of two partners the one with
/// bit 0 keeps the first half of its window. Rank i ends with the blocks of the rank whose number
/// is i with its bits reversed.
SchedulePtr doubling(Starts starts, Sign sign = Sign::plain);
/// Gather of the windows of `doubling` to the root.
SchedulePtr gather(Starts starts, int root);

}  // namespace hopbine::butterfly
