/// ParLinNa (HPDC'25, Sec. 4): alltoall inside nodes, then between ranks of different nodes.
/// Extends the paper to nodes with different numbers of ranks, in any order.
#pragma once
#include "schedule/algorithm.hpp"
#include "schedule/schedule.hpp"

namespace hopbine::parlinna {

/// Alltoall(v) in two phases. The nodes are the units of the placement's nodes; with the parameter
/// "groups" those of its innermost level that separates ranks, or, if it is 1, of the outermost.
/// - Inside a node every block goes to its carrier by Bruck's algorithm of radix r. The carrier is
///   the rank whose index on the node is that of the destination on its own node, modulo the ranks
///   of this node.
/// - Between nodes the carriers send directly to the destinations, beginning with the next node.
///
/// Coalesced: a message carries the blocks of all ranks of the node for one destination, and
/// `batch` nodes are in flight together. Staggered: a message carries one block, and `batch`
/// messages to different nodes are in flight together.
///
/// Explicit (Fig. 3a): only blocks for ranks of the same node are exchanged inside of it. Every
/// other block goes straight from its origin to its destination, `batch` in flight together.
SchedulePtr alltoall(const Problem& q);

/// Parameters of the exchange between nodes.
inline constexpr Parameter batch = {
    "batch", Kind::batch, 1, 1 << 20, 8, "messages to as many nodes are in flight together"};
inline constexpr Parameter staggered = {
    "staggered",
    Kind::flag,
    0,
    1,
    0,
    "1: a message for every block between nodes; 0: one for all blocks of a node for a rank"};

inline constexpr Parameter is_explicit = {
    "explicit",
    Kind::published,
    0,
    1,
    0,
    "1: only blocks for the own node are exchanged inside, others go straight (Fig. 3a); 0: all go "
    "by the ranks of the node"};

/// Claim of the alltoall.
Claim claim(const Problem& q);

}  // namespace hopbine::parlinna
