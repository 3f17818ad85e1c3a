/// The ring that several algorithms share.
#pragma once
#include "combinators/symmetric.hpp"

namespace hopbine {

/// Allgather: in every step each rank hands the block it got last to its right neighbour.
SchedulePtr ring_allgather(int p);
/// Rank r sends to rank r + 1, as in ring_allgather, so that both together use every link one way;
/// block b ends at rank b.
SchedulePtr ring_reduce_scatter(int p);

}  // namespace hopbine
