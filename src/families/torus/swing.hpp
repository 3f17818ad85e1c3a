/// Swing (De Sensi et al., NSDI'24): in one dimension it is the distance-doubling Bine butterfly;
/// on a torus dimensions take turns.
#pragma once
#include "families/torus/torus.hpp"
#include "schedule/problem.hpp"

namespace hopbine::swing {

/// Reduce_scatter of one dimension (Sec. 3.1.1; even n: no block twice, odd n: the last one served
/// directly, Sec. 3.2).
SchedulePtr line(int n);
/// Steps of a reduce_scatter on a torus.
int steps(const torus::Shape& shape);
/// torus::on_ports for a problem with the parameter `ports`, the Swing way.
SchedulePtr on_ports(const Problem& q, const torus::Line& line, bool apart,
                     const std::function<SchedulePtr(const torus::Lines& lines, int first)>& make);
/// Every block in its parts, each on the port where it begins.
SchedulePtr reduce_scatter(const Problem& q);

}  // namespace hopbine::swing
