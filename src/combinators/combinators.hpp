/// Schedules made from schedules.
#pragma once
#include <functional>
#include <vector>

#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace hopbine {

/// One after the other (reduce_scatter then allgather). Throws Error where members differ in parts,
/// channels, wire or layout.
SchedulePtr sequence(std::vector<SchedulePtr> members);

/// One step in which `from` sends blocks to `to`.
SchedulePtr one_message(int from, int to, BlockSet blocks);

/// One exchange that puts blocks in their places: rank r sends block held[r], which it has, to its
/// owner, rank held[r] (Bine SC'25, Sec. 4.3.1, "send").
SchedulePtr handed_over(std::vector<Block> held);
/// How many ranks hold another's block.
std::int64_t displaced(const std::vector<Block>& held);

/// Time runs backwards: steps in reverse order, sends become receives, and all moves get `mode`.
/// bcast -> reduce, scatter -> gather (mode copy), reduce_scatter <-> allgather.
SchedulePtr reversed(SchedulePtr inner, Op op);

/// Rank r plays virtual rank (r - by) mod p. With `blocks`, block b of the inner schedule becomes
/// (b + by) mod p as well.
SchedulePtr rotated(SchedulePtr inner, int p, int by, bool blocks);

/// A full-vector reduction over 2^floor(log2 p) ranks made to serve p: the first 2(p - p') ranks
/// pair up, the even one hands its vector to its odd neighbour before and gets the result after
/// (keeps rank order). `inner` is a schedule for p' ranks that moves blocks 0..p-1. `result(rank)`
/// are the blocks that an even rank of a pair gets after; all of them when it is not given.
SchedulePtr folded(SchedulePtr inner, int p, std::function<BlockSet(int rank)> result = {});

/// The same moves without the blocks that the receiver holds already, as told by held(rank).
SchedulePtr skipping(SchedulePtr inner, std::function<BlockSet(int rank)> held);

/// Virtual rank v is rank order[v] (a renumbering of the ranks); blocks that belong to ranks follow
/// them.
SchedulePtr relabelled(SchedulePtr inner, Collective collective, std::vector<int> order);

/// The same moves, which travel otherwise.
SchedulePtr wired(SchedulePtr inner, Wire wire);
/// The same moves, one message per run instead of packed.
SchedulePtr per_run(SchedulePtr inner);

/// The same moves, with Traits::period and Traits::classes as given.
SchedulePtr with_symmetry(SchedulePtr inner, int period, std::function<int(int step)> classes);

/// The same moves on a working buffer where block b lies at positions[b].
SchedulePtr permuted(SchedulePtr inner, std::vector<Block> positions);

}  // namespace hopbine
