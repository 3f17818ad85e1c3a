/// Torus-optimised Bine butterflies (De Sensi et al., SC'25, App. D): the distance-doubling Bine
/// butterfly in every dimension, dimensions taking turns.
#pragma once
#include "families/torus/torus.hpp"
#include "schedule/problem.hpp"

namespace hopbine::torus_bine {

/// torus::on_ports for a problem with the parameter `ports`, the Bine way (App. D.4).
SchedulePtr on_ports(const Problem& q, bool apart,
                     const std::function<SchedulePtr(const torus::Lines& lines, int first)>& make);
/// Blocks in their places, on all ports that the problem asks for (App. D.2 without permutation;
/// odd extents: the last coordinate exchanges directly).
SchedulePtr reduce_scatter(const Problem& q);
SchedulePtr reduce_scatter_on_one_port(const Problem& q);
/// One port, extents that are powers of two: every message is a single run, where blocks lie in DFS
/// postorder (App. D.2).
torus::Windows windows(const Problem& q);

}  // namespace hopbine::torus_bine
