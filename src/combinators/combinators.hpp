/// Combinators: schedules composed of schedules.
#pragma once
#include <functional>
#include <vector>

#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace hopbine {

/// Runs the members one after the other (reduce_scatter then allgather). Throws Error if they
/// differ in parts, channels, wire or layout.
SchedulePtr sequence(std::vector<SchedulePtr> members);

/// A schedule of one step in which `from` sends blocks to `to`.
SchedulePtr one_message(int from, int to, BlockSet blocks);

/// One exchange that moves blocks to their owners (Bine SC'25, Sec. 4.3.1, "send"). Rank r has
/// block held[r] and sends it to rank held[r].
SchedulePtr handed_over(std::vector<Block> held);
/// Number of ranks r with a block other than their own, held[r] != r.
std::int64_t displaced(const std::vector<Block>& held);

/// Time reversal: steps in reverse order, sends become receives, and every move gets `op`. Makes
/// reduce from bcast, gather from scatter (copy), and reduce_scatter and allgather from each other.
SchedulePtr reversed(SchedulePtr inner, Op op);

/// Renumbers ranks cyclically: rank r acts as virtual rank (r - by) mod p. With `blocks`, block b
/// of the inner schedule becomes (b + by) mod p as well.
SchedulePtr rotated(SchedulePtr inner, int p, int by, bool blocks);

/// Extends a full-vector reduction over p' = 2^floor(log2 p) ranks to p ranks.
/// - The first 2(p - p') ranks form pairs. The even rank sends its vector to its odd neighbour
///   before and receives the result after. The order of ranks is kept.
/// - `inner` is a schedule for p' ranks that moves blocks 0..p-1.
/// - `result(rank)` gives the blocks that the even rank of a pair receives; all blocks by default.
SchedulePtr folded(SchedulePtr inner, int p, std::function<BlockSet(int rank)> result = {});

/// Leaves out the blocks that a receiver already has, which are held(rank).
SchedulePtr skipping(SchedulePtr inner, std::function<BlockSet(int rank)> held);

/// Renumbers ranks: virtual rank v is rank order[v]. Blocks that belong to ranks are renumbered
/// with them.
SchedulePtr relabelled(SchedulePtr inner, Collective collective, std::vector<int> order);

/// Renumbers ranks within units: every rank acts as the one `by` places before it in its unit,
/// cyclically. Blocks keep their numbers: only for whole vectors (bcast, reduce, allreduce).
SchedulePtr rotated_within(SchedulePtr inner, std::shared_ptr<const Units> units, int by);

/// The moves of `inner` with another wire format.
SchedulePtr wired(SchedulePtr inner, Wire wire);
/// The moves of `inner` with one message per run.
SchedulePtr per_run(SchedulePtr inner);
/// Every move of `inner` as one for each of its blocks. Throws Error if it has several parts or
/// channels.
SchedulePtr block_by_block(SchedulePtr inner);

/// A barrier of a schedule in which every rank hears, directly or not, from every rank: messages go
/// where those of `inner` go, without data. Throws Error if it has several parts or channels.
SchedulePtr signals(SchedulePtr inner);

/// The moves of `inner` with the given Traits::period and Traits::classes.
SchedulePtr with_symmetry(SchedulePtr inner, int period, std::function<int(int step)> classes);

/// The moves of `inner`, where every step repeats the one before with blocks `shift` further
/// (Traits::repeats).
SchedulePtr repeating(SchedulePtr inner, Block shift);

/// The moves of `inner` on a working buffer in which block b lies at positions[b].
/// `copies_in_flight`: see Traits.
SchedulePtr permuted(SchedulePtr inner, std::vector<Block> positions,
                     bool copies_in_flight = false);

}  // namespace hopbine
