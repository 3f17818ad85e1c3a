/// Swing (De Sensi et al., NSDI'24). In one dimension it is the distance-doubling Bine butterfly;
/// on a torus dimensions take turns.
#pragma once
#include "families/torus/torus.hpp"
#include "schedule/algorithm.hpp"

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
/// That, or one with contiguous blocks where extents are powers of two, and its time reversal.
SchedulePtr allreduce(const Problem& q);

/// The parameter "runs": Swing as Bine SC'25 (Sec. 4.4) found and measured it, and its own blocks
/// on tori as it measured those.
inline constexpr Parameter run_by_run{
    "runs",
    Kind::published,
    0,
    1,
    0,
    "1: blocks in the order of the ranks, a message for every run of them, as the published code "
    "sends; 0: one message to a rank"};

}  // namespace hopbine::swing
