/// Bucket algorithms: rings along one dimension of a torus after the other (Jain and Sabharwal
/// ICS'10; Sack and Gropp; Swing NSDI'24, Sec. 2.3.4).
#pragma once
#include "families/torus/torus.hpp"
#include "schedule/problem.hpp"

namespace hopbine::bucket {

/// All ports change dimension together on rectangular tori (Swing Sec. 5.2).
inline torus::Turns turns(const Problem& q) {
    return q.get("ports") ? torus::Turns::phases : torus::Turns::whole_dimensions;
}
/// Steps of a reduce_scatter.
int steps(const Problem& q);
/// swing::on_ports with a ring along every dimension.
SchedulePtr on_ports(const Problem& q, bool apart,
                     const std::function<SchedulePtr(const torus::Lines& lines, int first)>& make);
/// Scatter: every block goes round the ring of one dimension after the other, the farthest first,
/// so that a rank sends on in each step what it has received in the last one.
SchedulePtr scatter(const Problem& q);
/// Blocks that it sends, summed over all ranks and steps.
std::int64_t scatter_hops(const Problem& q);

}  // namespace hopbine::bucket
