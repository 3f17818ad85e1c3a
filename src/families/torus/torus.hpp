/// Schedules of a torus composed of one-dimensional butterflies and rings. One dimension at a time,
/// in any order of turns (Swing NSDI'24, Sec. 4; Bine SC'25, App. D).
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace hopbine::torus {

/// Extents of the dimensions. Ranks are numbered row-major, the last dimension varying fastest.
using Shape = std::vector<int>;

/// Makes the line of a dimension with n coordinates, a reduce_scatter.
using Line = std::function<SchedulePtr(int n)>;

/// One line per dimension.
using Lines = std::vector<SchedulePtr>;
Lines lines_of(const Shape& shape, const Line& line);

/// Order in which dimensions take turns.
/// - step_by_step: one step each (Swing, torus Bine)
/// - whole_dimensions: all steps of a dimension before the next
/// - phases: the same, but every dimension takes as many steps as the longest one, so that
///   schedules that begin with different dimensions change dimension together (bucket on
///   rectangular tori, Swing Sec. 5.2)
enum class Turns { step_by_step, whole_dimensions, phases };

/// Reduce_scatter that begins with dimension `first`. In each step ranks communicate along one
/// dimension as its line specifies, about the blocks whose other coordinates they still cover.
/// Block b ends where the lines of the dimensions leave it.
SchedulePtr reduce_scatter(const Shape& shape, Lines lines, Turns turns, int first);

/// Step-by-step reduce_scatter with blocks numbered so that every message is one run. The blocks
/// that a rank covers form a window, which each step halves. Rank r ends with block positions[r].
struct Windows {
    SchedulePtr schedule;
    std::vector<Block> positions;
};
/// Nothing if a line does not halve the covered blocks in each step (an extent is no power of two).
std::optional<Windows> windows(const Shape& shape, Lines lines, int first);
/// The reduce_scatter of `windows`, or the plain one if there are none. For allreduce, where any
/// numbering of blocks is valid (Swing Sec. 3.1.1).
SchedulePtr butterfly(const Shape& shape, const Lines& lines, int first);

/// Allreduce of whole vectors. A line runs on n coordinates; its block numbers are ignored.
SchedulePtr whole_vectors(const Shape& shape, Lines lines, int first);

/// Steps of all dimensions together if line(n) takes steps(n).
int steps(const Shape& shape, const std::function<int(int n)>& steps);

/// Mirrored lines (Swing's mirrored collectives): coordinate a acts as -a mod n. Their first steps
/// go in the opposite direction.
Lines mirrored(const Shape& shape, const Lines& lines,
               Collective line = Collective::reduce_scatter);
Line mirrored(Line line, Collective collective = Collective::reduce_scatter);

/// Restricts a schedule to part `channel` of the `all` parts of every block. With `apart` the parts
/// of a channel are contiguous (allreduce, where any order of blocks is valid), otherwise the parts
/// of a block are.
SchedulePtr on_channel(SchedulePtr inner, int p, int channel, int all, bool apart);

/// Runs schedules that move different parts at the same time.
SchedulePtr at_once(std::vector<SchedulePtr> channels);

/// A schedule, and the ranks that take the places of its ranks (relabelled()).
struct Ordered {
    SchedulePtr schedule;
    std::vector<int> order;
};
/// Runs schedules of p ranks at the same time, each on a channel of its own, with contiguous parts.
SchedulePtr on_channels(std::vector<Ordered> all, Collective collective, int p);

/// Directions of the dimensions on each channel. D channels begin with one dimension each, and D
/// more in the opposite direction.
/// - swing: the latter mirror all dimensions (Sec. 4.1).
/// - bine: channels rotate through the directions E, N, W, S, so that dimensions whose turn comes
///   after the last one are mirrored as well (App. D.4).
enum class Ports { swing, bine };
bool plays_mirrored(Ports ports, int channel, int d, int dimensions);

/// One schedule for each of `parts` ports of a torus: make(lines, first) for as many channels, the
/// first again after 2 D ports of D dimensions. A single part is a plain schedule. `flip` is the
/// line in the opposite direction.
SchedulePtr on_ports(const Shape& shape, int parts, Ports ports, const Line& line, const Line& flip,
                     bool apart,
                     const std::function<SchedulePtr(const Lines& lines, int first)>& make);

}  // namespace hopbine::torus
