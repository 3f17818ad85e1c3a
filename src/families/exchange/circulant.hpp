/// Schedules on circulant graphs, whose ranks all send along the same skips (Träff, arXiv
/// 2312.11236, 2407.18004 and 2410.14234).
#pragma once
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine::circulant {

/// Distances 1 = skip[0] < ... < skip[q] = p with q = ceil(log2 p), each half of the next one,
/// rounded up.
std::vector<int> skips(int p);

/// Blocks that rank r receives from ranks r - skip[k], k = 0 .. q - 1, in every phase of q steps of
/// a broadcast from rank 0. Block e >= 0 is the one that r receives first among all of the phase;
/// e - q is block e of the phase before. O(q).
std::vector<int> received(const std::vector<int>& skip, int r);

/// Broadcast from rank 0 of the vector in n segments. In q + n - 1 steps, the least for one message
/// per rank and step, every other rank receives every segment once. Blocks are parts of the vector.
SchedulePtr bcast(int p, int n);

/// Allgather in q steps. In step k a rank has the blocks of the skip[k] ranks up to itself. It
/// sends those that the rank skip[k] ahead lacks. Messages differ by less than in Bruck's
/// algorithm, whose last one has only the rest.
SchedulePtr allgather(int p);

}  // namespace hopbine::circulant
