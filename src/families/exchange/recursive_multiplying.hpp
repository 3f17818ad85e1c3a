/// Recursive multiplying (Wilkins et al. CLUSTER'23, Sec. IV): recursive doubling with k - 1
/// partners at once, for any k and any p.
#pragma once
#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace hopbine {

/// Ranks 0..p-1 are divided into `far` parts of consecutive ranks, these into up to k parts each,
/// and so on down to single ranks, evenly, so that ceil(log) steps are enough for any p; equally
/// where p has the factors. In a step every rank gets something from one rank, at the same relative
/// position, of each other part; where parts differ in size some ranks serve two.
struct Division {
    int p, k;
    int far = 0;  ///< that the last step of an allgather, whose partners are farthest; 0 or 1: k
    int steps() const;
    /// Into how many parts a part of n ranks was divided whose parts' ranks exchange in this step.
    int parts(int n, int step) const;
    /// Messages of all ranks when each is of the whole vector.
    std::int64_t messages() const;
    /// By the parameters "k" and "far".
    static Division of(const Problem& q);
};

/// Nearest partners first.
SchedulePtr multiplying_allgather(const Division& d);
/// The whole vector, `blocks` blocks, in every message; order of ranks is kept.
SchedulePtr multiplying_allreduce(const Division& d, int blocks);
// Reduce_scatter is reversed(multiplying_allgather, reduce): farthest partners first, and with the
// most.

/// A reduce_scatter with the nearest partners first, so that most bytes stay near: Rabenseifner's
/// of any radix. Which block a rank ends with is numbered so that messages are single runs where
/// all parts are equal; for an allreduce, whose allgather is reversed(this, copy).
SchedulePtr multiplying_near_first(const Division& d);

}  // namespace hopbine
