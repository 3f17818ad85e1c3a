/// Lines of a torus on which whole vectors are exchanged by a power of two of coordinates.
#pragma once
#include "families/torus/torus.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::torus {

/// Allreduce of n coordinates from one of `core` of them, the largest power of two: the others are
/// folded (Swing NSDI'24, Sec. 2.3.2).
Line folded_line(std::function<SchedulePtr(int core, int n)> exchange);
/// Claim of an allreduce of whole vectors on such lines, for a problem with the parameter "ports".
Claim folded_lines_claim(const Problem& q);

}  // namespace hopbine::torus
