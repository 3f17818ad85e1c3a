/// ParLinNa (HPDC'25, Sec. 4): alltoall inside nodes, then between ranks of different nodes.
/// Extends the paper to nodes with different numbers of ranks, in any order.
#pragma once
#include "schedule/algorithm.hpp"
#include "schedule/schedule.hpp"

namespace hopbine::parlinna {

/// Alltoall(v) in two phases.
/// - Inside a node every block goes to its carrier by Bruck's algorithm of radix r. The carrier is
///   the rank whose index on the node is that of the destination on its own node, modulo the ranks
///   of this node.
/// - Between nodes the carriers send directly to the destinations, beginning with the next node.
///
/// Coalesced: a message carries the blocks of all ranks of the node for one destination, and
/// `batch` nodes are in flight together. Staggered: a message carries one block, and `batch`
/// messages to different nodes are in flight together.
SchedulePtr alltoall(const Problem& q);

/// Claim of the alltoall.
Claim claim(const Problem& q);

}  // namespace hopbine::parlinna
