/// Butterflies and rings of one dimension made into schedules of a torus: one dimension at a time,
/// in any order of turns (Swing NSDI'24, Sec. 4; Bine SC'25, App. D).
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine::torus {

/// Extents of the dimensions; the last runs fastest in the numbering of ranks (row-major).
using Shape = std::vector<int>;

/// Makes the reduce_scatter of a dimension with n coordinates.
using Line = std::function<SchedulePtr(int n)>;

/// The line of every dimension.
using Lines = std::vector<SchedulePtr>;
Lines lines_of(const Shape& shape, const Line& line);

/// How dimensions take turns: one step each (Swing, torus Bine), all steps of one before the next,
/// or the same with every dimension waiting for the longest one, so that schedules that begin with
/// different dimensions change over together (bucket on rectangular tori, Swing Sec. 5.2).
enum class Turns { step_by_step, whole_dimensions, phases };

/// Reduce_scatter: in each step ranks talk along one dimension as its line says, about the blocks
/// whose other coordinates they still cover. Block b ends where the dimensions' schedules leave it.
/// `first` is the dimension that begins.
SchedulePtr reduce_scatter(const Shape& shape, Lines lines, Turns turns, int first);

/// The same, step by step, with blocks numbered so that every message is one run: what a rank still
/// covers is a window that each step halves. Rank r ends with block positions[r].
struct Windows {
    SchedulePtr schedule;
    std::vector<Block> positions;
};
/// Nothing when a line does not halve what a rank covers in each step (an extent is no power of
/// two).
std::optional<Windows> windows(const Shape& shape, Lines lines, int first);
/// The reduce_scatter of windows, or of blocks in their places where there are none: for allreduce,
/// to which any numbering will do (Swing Sec. 3.1.1).
SchedulePtr butterfly(const Shape& shape, const Lines& lines, int first);

/// Allreduce of whole vectors: a line is one of n coordinates, whatever its blocks.
SchedulePtr whole_vectors(const Shape& shape, Lines lines, int first);

/// Steps of all dimensions together, when line(n) takes steps(n).
int steps(const Shape& shape, const std::function<int(int n)>& steps);

/// Lines with coordinate a played by -a mod n: first steps go the other way (Swing's mirrored
/// collectives).
Lines mirrored(const Shape& shape, const Lines& lines);
Line mirrored(Line line);

/// The schedule on its own part of the data: every block has `all` parts, of which this one moves
/// part `channel`. With `apart` the parts of a channel lie together (allreduce, where any order of
/// blocks will do), else with their block.
SchedulePtr on_channel(SchedulePtr inner, int p, int channel, int all, bool apart);

/// Schedules that move different parts at the same time.
SchedulePtr at_once(std::vector<SchedulePtr> channels);

/// How the dimensions of channel c play: D channels begin with one dimension each, and D in the
/// opposite direction. Swing (Sec. 4.1) mirrors all dimensions of the latter; Bine (App. D.4) goes
/// round the directions, E N W S, so that a dimension whose turn comes after the last one is
/// mirrored as well.
enum class Ports { swing, bine };
bool plays_mirrored(Ports ports, int channel, int d, int dimensions);

/// One schedule per port of a torus of D dimensions: make(lines, first) for 2 D channels, or a
/// single plain one without `all`. `flip` is the other way of a line.
SchedulePtr on_ports(const Shape& shape, bool all, Ports ports, const Line& line, const Line& flip,
                     bool apart,
                     const std::function<SchedulePtr(const Lines& lines, int first)>& make);

}  // namespace hopbine::torus
