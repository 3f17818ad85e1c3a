/// Pipelines: a vector cut into segments that follow one another through a schedule.
#pragma once
#include "schedule/algorithm.hpp"

namespace hopbine {

/// `n` segments of the vector, each on the way of `inner`, one step behind the segment before: step
/// s of segment k is step s + k. Whole vectors of p blocks only (bcast, reduce, allreduce): the
/// parts of a segment lie together. Throws Error where `inner` is permuted or its parts lie apart.
SchedulePtr segmented(SchedulePtr inner, int p, int n);

namespace segments {

/// The parameter of pipelined algorithms.
inline constexpr Parameter parameter{
    "segments",
    Kind::segments,
    1,
    4096,
    8,
    "parts of the vector that follow one another; where it is not given and the size is known, "
    "what a model of the links says"};

inline int of(const Problem& q) { return static_cast<int>(q.get("segments")); }

/// What a pipeline claims whose segments take `steps` steps and in which `parts` parts of all
/// blocks are sent `times` times.
inline Claim claim(const Problem& q, std::int64_t steps, std::int64_t times,
                   std::int64_t parts = 1) {
    const int n = of(q);
    return {steps == 0 ? 0 : steps + n - 1, times * parts * n * q.p};
}

/// The number of segments of m bytes that a pipeline of `steps` steps takes least time with, where
/// a message of b bytes takes alpha + beta b: (steps + n - 1) (alpha + beta m / n) is least at n =
/// sqrt((steps - 1) m beta / alpha) (Sanders, Speck, Träff 2009, Sec. 1). A power of two, so that
/// few plans serve all sizes; within the parameter's bounds.
std::int64_t best(std::int64_t steps, double bytes, double alpha, double beta);

}  // namespace segments
}  // namespace hopbine
