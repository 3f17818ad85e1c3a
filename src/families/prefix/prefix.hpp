/// Prefix sums of whole vectors. Only sums over consecutive ranks are ever combined, so operations
/// need not commute. Vectors have `blocks` blocks.
#pragma once
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/schedule.hpp"

namespace hopbine::prefix {

/// Inclusive sums in ceil(log_k p) steps (Hillis, Steele CACM'86, of radix k). Before step x the
/// result of a rank holds the k^x ranks up to itself. It receives those of the ranks at the
/// multiples of k^x below it.
SchedulePtr doubling(int p, int k, int blocks);
/// Inclusive sums from rank to rank.
SchedulePtr chain(int p, int blocks);
/// Inclusive sums inside units, then between the last ranks of the units, which hold the sum of
/// their unit. Each of these hands its result to the next unit, where a tree spreads it.
///
/// Units are consecutive ranks: ranks of a unit that others lie between form several.
SchedulePtr hierarchical(const hierarchy::Levels& levels, int p, int blocks);

/// Exclusive sums of p ranks: every rank hands its contribution to the next, then ranks 1..p-1 form
/// `inclusive` sums.
SchedulePtr exclusive(SchedulePtr inclusive, int p);

/// Steps and messages of the schedules above, in whole vectors.
struct Cost {
    std::int64_t steps = 0, messages = 0;
    /// Cost of exclusive() around a schedule of this cost.
    Cost exclusive(int p) const { return p > 1 ? Cost{steps + 1, messages + p - 1} : Cost{}; }
    Claim claim(const Problem& q) const { return {steps, messages * q.p}; }
};
Cost doubling_cost(int p, int k);
Cost chain_cost(int p);
Cost hierarchical_cost(const hierarchy::Levels& levels, int p);

/// The placement's levels without rank 0, which takes no part in the inclusive sums of exclusive().
hierarchy::Levels levels_above_first(const Problem& q);

}  // namespace hopbine::prefix
