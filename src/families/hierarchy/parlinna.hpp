/// ParLinNa (HPDC'25, Sec. 4): inside the nodes first, then every rank with its like on the other
/// nodes. Beyond the paper nodes may have different numbers of ranks, in any order.
#pragma once
#include "schedule/algorithm.hpp"
#include "schedule/schedule.hpp"

namespace hopbine::parlinna {

/// Alltoall(v) in two phases. 1: inside its node every block goes to the rank that carries it over,
/// the one whose index on the node is that of the destination on its own, modulo the ranks on this
/// node; digit by digit of radix r. 2: the carriers send straight to the destinations, nodes in
/// turn beginning beside their own. Coalesced, a message has the blocks of all ranks of the node
/// for one destination, and `batch` nodes are written to together; staggered, a message has one
/// block, and `batch` messages to as many nodes go together.
SchedulePtr alltoall(const Problem& q);

/// Steps and blocks of it.
Claim claim(const Problem& q);

}  // namespace hopbine::parlinna
