/// Torus-optimised Bine butterflies (De Sensi et al., SC'25, App. D). Dimensions take turns with
/// the steps of the distance-doubling Bine butterfly.
#pragma once
#include "families/torus/torus.hpp"
#include "schedule/problem.hpp"

namespace hopbine::torus_bine {

/// torus::on_ports for a problem with the parameter `ports`, with Bine's directions (App. D.4).
SchedulePtr on_ports(const Problem& q, bool apart,
                     const std::function<SchedulePtr(const torus::Lines& lines, int first)>& make);
/// Reduce_scatter without permutation on all ports that the problem asks for (App. D.2), in a
/// message for every run of blocks if it asks for `runs` (swing::run_by_run). For odd extents the
/// last coordinate exchanges directly.
SchedulePtr reduce_scatter(const Problem& q);
SchedulePtr reduce_scatter_on_one_port(const Problem& q);
/// Reduce_scatter on one port with blocks in DFS postorder: every message is one run (App. D.2).
/// Extents must be powers of two.
torus::Windows windows(const Problem& q);

}  // namespace hopbine::torus_bine
