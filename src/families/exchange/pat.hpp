/// Parallel aggregated trees of NCCL (Jeaugey, arXiv 2506.20252).
#pragma once
#include "schedule/algorithm.hpp"

namespace hopbine::pat {

/// Allgather: the block of every rank goes down a binomial tree to the ranks after it, far ranks
/// first. `trees` blocks, a power of two, travel in one message.
/// - First every block reaches the `trees` ranks at the same distance from each other. Messages
///   grow from 1 to trees / 2 blocks.
/// - Then these ranks pass `trees` blocks to one after the other of those between them. A tree
///   is walked depth first, so that a rank passes on only the last ceil(log2 p) of what it received
///   (or, in the time reversal, has only so many partial sums).
SchedulePtr allgather(int p, int trees);
/// Steps of it.
int steps(int p, int trees);

/// The greatest power of two of trees that the parameter "batch" allows, at most p rounded up.
int trees(const Problem& q);
inline constexpr Parameter parameter{
    "batch", Kind::batch, 1,
    1 << 20, 1 << 20,     "blocks in a message at most, a power of two; p or more: all at once"};

}  // namespace hopbine::pat
