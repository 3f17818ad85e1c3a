/// Collectives that follow the placement: inside the innermost units first (nodes), then between
/// them, level by level.
///
/// A vector crosses the boundary of a unit as rarely as it can: once per unit in a tree; once per
/// block and unit in a reduce_scatter or an allgather, whatever the sizes of the units. Between
/// units of unequal size the members at the same relative position talk to each other
/// (Units::holder), so that every member carries about as much.
#pragma once
#include <vector>

#include "schedule/algorithm.hpp"
#include "schedule/schedule.hpp"

namespace hopbine::hierarchy {

/// Unit of every rank, level by level, the outermost first. A level that separates nothing is left
/// out.
using Levels = std::vector<std::vector<int>>;
Levels levels(const Problem& q);
/// The levels below the first, for the members of one of its units; what separates nothing there is
/// left out.
Levels inside(const Levels& all, const std::vector<int>& members);

/// How units (groups, nodes) exchange what their members hold: on a Bine butterfly, or each with
/// all others in one step.
enum class Between { butterfly, at_once };

/// Block r ends at rank r; its contributions cross between units once per unit.
SchedulePtr reduce_scatter(const Levels& levels, int p, Between between);
/// The same, backwards in time.
SchedulePtr allgather(const Levels& levels, int p, Between between);
/// Trees between the first ranks of units (the root in its own), then inside them; the whole vector
/// in every message.
SchedulePtr bcast_small(const Levels& levels, int p, int root);
/// The root's unit scatters, units spread the shares, every unit gathers. No rank gets a block
/// twice.
SchedulePtr bcast_large(const Levels& levels, int p, int root);
/// Reduce to the first rank of every unit, whole-vector butterfly between those, broadcast back.
SchedulePtr allreduce_small(const Levels& levels, int p);
/// What belongs to a unit crosses into it in one message. Gather is its reverse.
SchedulePtr scatter(const Levels& levels, int p, int root);

/// Steps and blocks of the above, for the records of algorithms.
namespace claims {
Claim reduce_scatter(const Problem& q);  // and allgather
Claim bcast_small(const Problem& q);     // and reduce
Claim bcast_large(const Problem& q);     // and reduce
Claim allreduce_small(const Problem& q);
Claim scatter(const Problem& q);  // and gather
}  // namespace claims

/// The parameter "at_once", Kind::flag, 0 or 1, of algorithms that choose how units exchange.
inline constexpr Parameter at_once = {
    "at_once", Kind::flag,
    0,         1,
    0,         "1: units exchange in one step, a message to each; 0: on a Bine butterfly"};
Between between(const Problem& q);

}  // namespace hopbine::hierarchy
