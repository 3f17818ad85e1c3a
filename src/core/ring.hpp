/// The ring that several algorithms share.
#pragma once
#include "core/stepwise.hpp"

namespace hopbine {

/// Allgather: in every step each rank hands the block it got last to its right neighbour.
SchedulePtr ring_allgather(int p);

}  // namespace hopbine
