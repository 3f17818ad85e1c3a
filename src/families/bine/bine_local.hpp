/// Bine trees of a power of two of ranks, of which each rank finds its own part: no table of all
/// ranks is made.
#pragma once
#include <functional>

#include "schedule/schedule.hpp"

namespace hopbine::bine {

/// The step in which a rank is reached in the distance-halving tree of p ranks, p a power of two;
/// -1 for the root, rank 0. The lowest u bits of its negabinary number are equal: it is reached u
/// steps before the end (Sec. 2.3).
int halving_step(int rank, int p);
/// The step in which a rank is reached in the distance-doubling tree: the highest bit of the label
/// v (Sec. 3.2.1); -1 for the root.
int doubling_step(int rank, int p);

/// The blocks below a rank of the distance-halving tree of p ranks, one circular run.
BlockSet halving_subtree(int rank, int p);

/// The walk of a distance-halving or distance-doubling tree from rank 0, p a power of two. A rank
/// receives carried(rank).
SchedulePtr halving_walk(int p, std::function<BlockSet(int rank)> carried);
SchedulePtr doubling_walk(int p, std::function<BlockSet(int rank)> carried);

}  // namespace hopbine::bine
