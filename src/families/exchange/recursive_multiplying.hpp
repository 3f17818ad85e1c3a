/// Recursive multiplying for any k and p (Wilkins et al. CLUSTER'23, Sec. IV). Recursive doubling
/// with k - 1 partners in flight together.
#pragma once
#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace hopbine {

/// Recursive division of ranks 0..p-1 into parts of consecutive ranks.
/// - All ranks are divided into `far` parts, each of these into up to k parts, down to single
///   ranks.
/// - Parts are as even as possible, and equal if p has the factors, so that ceil(log) steps suffice
///   for any p.
/// - In a step every rank receives from one rank of each other part, at the same relative position.
///   If parts differ in size, some ranks send to two.
struct Division {
    int p, k;
    int far =
        0;  ///< parts of the last step of an allgather, whose partners are farthest; 0 or 1: k
    int steps() const;
    /// Number of parts of a part of n ranks that exchange with each other in this step.
    int parts(int n, int step) const;
    /// Number of messages of all ranks if each carries the whole vector.
    std::int64_t messages() const;
    /// The division given by the parameters "k" and "far".
    static Division of(const Problem& q);
};

/// Allgather, nearest partners first.
SchedulePtr multiplying_allgather(const Division& d);
/// Allreduce with the whole vector, `blocks` blocks, in every message; keeps the order of ranks.
SchedulePtr multiplying_allreduce(const Division& d, int blocks);
// Reduce_scatter is reversed(multiplying_allgather, reduce). Its farthest partners come first, with
// the most blocks.

/// Reduce_scatter with the nearest partners first, so that most bytes travel short distances. This
/// is Rabenseifner's algorithm of any radix, for an allreduce whose allgather is reversed(this,
/// copy). Blocks are numbered so that messages are single runs if all parts are equal.
SchedulePtr multiplying_near_first(const Division& d);

}  // namespace hopbine
