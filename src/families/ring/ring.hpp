/// Ring allgather and reduce_scatter.
#pragma once
#include "combinators/symmetric.hpp"

namespace hopbine {

/// Allgather: in every step a rank sends the block it received last to its right neighbour.
SchedulePtr ring_allgather(int p);
/// Reduce_scatter: rank r sends to rank r + 1, and block b ends at rank b. The direction is that of
/// ring_allgather, so that both together use every link in one direction.
SchedulePtr ring_reduce_scatter(int p);

}  // namespace hopbine
