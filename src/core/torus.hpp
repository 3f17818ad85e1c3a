/// Butterflies and rings of one dimension made into schedules of a torus: one dimension at a time, in any order of turns
/// (Swing NSDI'24, Sec. 4; Bine SC'25, App. D).
#pragma once
#include <functional>
#include <vector>

#include "core/schedule.hpp"

namespace hopbine::torus {

/// Extents of the dimensions; the last runs fastest in the numbering of ranks (row-major).
using Shape = std::vector<int>;

/// Makes the reduce_scatter of a dimension with n coordinates.
using Line = std::function<SchedulePtr(int n)>;

/// How dimensions take turns: one step each (Swing, torus Bine), or all steps of one before the next (bucket).
enum class Turns { step_by_step, whole_dimensions };

/// Reduce_scatter: in each step ranks talk along one dimension as `line` says, about the blocks whose other coordinates they still cover. Block b
/// ends where the dimensions' schedules leave it. `first` is the dimension that begins.
SchedulePtr reduce_scatter(const Shape& shape, const Line& line, Turns turns, int first);

/// Allreduce of whole vectors: `line` is one of n coordinates, whatever its blocks.
SchedulePtr whole_vectors(const Shape& shape, const Line& line, int first);

/// Steps of all dimensions together, when line(n) takes steps(n).
int steps(const Shape& shape, const std::function<int(int n)>& steps);

/// The line with coordinate a played by -a mod n: first steps go the other way (Swing's mirrored collectives).
Line mirrored(Line line);

/// The schedule on its own part of the data: every block has `all` parts, of which this one moves part `channel`. With `apart` the parts of a channel lie
/// together (allreduce, where any order of blocks will do), else with their block.
SchedulePtr on_channel(SchedulePtr inner, int p, int channel, int all, bool apart);

/// Schedules that move different parts at the same time.
SchedulePtr at_once(std::vector<SchedulePtr> channels);

/// One schedule per port of a torus of D dimensions that have more than one coordinate: make(line, first) for D plain and D mirrored collectives, each starting in
/// another dimension; or a single plain one without `ports`.
SchedulePtr on_ports(const Shape& shape, bool ports, const Line& line, bool apart, const std::function<SchedulePtr(const Line& line, int first)>& make);

}  // namespace hopbine::torus
