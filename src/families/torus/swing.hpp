/// Swing (De Sensi et al., NSDI'24). In one dimension it is the distance-doubling Bine butterfly;
/// on a torus dimensions take turns.
#pragma once
#include "families/torus/torus.hpp"
#include "schedule/problem.hpp"

namespace hopbine::swing {

/// Reduce_scatter of one dimension (Sec. 3.1.1). For even n no block is sent twice; for odd n the
/// last coordinate exchanges directly (Sec. 3.2).
SchedulePtr line(int n);
/// Steps of a reduce_scatter on a torus.
int steps(const torus::Shape& shape);
/// torus::on_ports for a problem with the parameter `ports`, with Swing's directions.
SchedulePtr on_ports(const Problem& q, const torus::Line& line, bool apart,
                     const std::function<SchedulePtr(const torus::Lines& lines, int first)>& make);
/// Reduce_scatter with every block in parts, each part on its own port.
SchedulePtr reduce_scatter(const Problem& q);

}  // namespace hopbine::swing
