/// Hierarchical collectives: inside the innermost units (nodes) first, then between units.
///
/// Data crosses the boundary of a unit as rarely as possible, whatever the sizes of the units:
/// - in a tree, once per unit;
/// - in a reduce_scatter or an allgather, once per block and unit.
///
/// Between units of unequal size, members at the same relative position communicate
/// (Units::holder), which balances their load.
#pragma once
#include <span>
#include <vector>

#include "schedule/algorithm.hpp"
#include "schedule/schedule.hpp"

namespace hopbine::hierarchy {

/// Unit of every rank on each level, the outermost level first. Levels that separate nothing are
/// left out.
using Levels = std::vector<std::vector<int>>;
Levels levels(const Problem& q);
/// The levels below the first, restricted to the members of one unit. Levels that separate nothing
/// there are left out.
Levels inside(const Levels& all, std::span<const int> members);

/// Exchange between units (groups, nodes): on a Bine butterfly, or all pairs in one step.
enum class Between { butterfly, at_once };

/// Reduce_scatter: block r ends at rank r. Its contributions cross between units once per unit.
/// `home`: the exchange inside the innermost units.
SchedulePtr reduce_scatter(const Levels& levels, int p, Between between,
                           Between home = Between::butterfly);
/// Time reversal of reduce_scatter.
SchedulePtr allgather(const Levels& levels, int p, Between between,
                      Between home = Between::butterfly);
/// The nodes as the only level, and the exchange inside of them: at once, if a node has several
/// ranks.
struct Nodes {
    Levels levels;
    Between home;
};
Nodes nodes(const Problem& q);
/// Broadcast of whole vectors along trees between the first ranks of units, then inside the units.
/// The root takes the place of the first rank in its own unit. Bine trees for k = 2, else k-nomial
/// ones.
SchedulePtr bcast_small(const Levels& levels, int p, int root, int k = 2);
/// Broadcast in parts: the root's unit scatters, units exchange their parts, every unit gathers. No
/// rank receives a block twice.
SchedulePtr bcast_large(const Levels& levels, int p, int root);
/// Allreduce of whole vectors through the first ranks of units. They reduce inside their units,
/// exchange by recursive multiplying and broadcast back, all with radix k.
SchedulePtr allreduce_small(const Levels& levels, int p, int k);
/// What becomes a barrier as signals: k-nomial trees inside the units to their first ranks, which
/// disseminate with radix k, and back. On the farthest links are ceil(log_k(units)) steps, where a
/// butterfly folds.
SchedulePtr disseminated(const Levels& levels, int p, int k);
/// Scatter with one message into each unit, which carries all of its blocks. Gather is its time
/// reversal.
SchedulePtr scatter(const Levels& levels, int p, int root);

/// Claims of the schedules above, for the records of algorithms.
namespace claims {
Claim reduce_scatter(const Problem& q);  // and allgather
/// Claim with exchanges at once on all levels; and allgather.
Claim reduce_scatter_at_once(const Problem& q);
/// Claim for the levels nodes(q), with a butterfly between the nodes; and allgather.
Claim reduce_scatter_of_nodes(const Problem& q);
Claim bcast_small(const Problem& q);  // and reduce
std::int64_t bcast_small_steps(const Levels& levels, int p);
Claim bcast_large(const Problem& q);  // and reduce
Claim allreduce_small(const Problem& q, int k);
/// With signals as blocks.
Claim disseminated(const Problem& q, int k);
Claim scatter(const Problem& q);  // and gather
}  // namespace claims

/// The parameter "at_once" of algorithms with a choice of exchange between units: Kind::flag, 0 or
/// 1.
inline constexpr Parameter at_once = {
    "at_once", Kind::flag,
    0,         1,
    0,         "1: units exchange in one step, a message to each; 0: on a Bine butterfly"};
Between between(const Problem& q);

}  // namespace hopbine::hierarchy
