/// Pipelines: a vector divided into segments that follow each other through a schedule.
#pragma once
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine {

/// Pipelines `n` segments through `inner`, each one step behind the previous one. Step s of segment
/// k is step s + k.
/// - Only for whole vectors of p blocks (bcast, reduce, allreduce); the parts of a segment are
///   contiguous.
/// - Throws Error if `inner` is permuted or the parts of a block lie together.
SchedulePtr segmented(SchedulePtr inner, int p, int n);
/// Pipelines segments with a schedule each, of equally many steps and the same traits. All segments
/// take the first `together` steps at once.
SchedulePtr segmented(std::vector<SchedulePtr> segments, int p, int together);

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

/// The parameter of algorithms that are pipelines only where it is set.
inline constexpr Parameter bytes_parameter{
    "segment",
    Kind::bytes,
    0,
    std::int64_t{1} << 30,
    0,
    "bytes of a segment of the vector at most, in up to 4096 segments that follow one another, so "
    "that reduction overlaps transfer; 0: whole"};

/// Number of segments by bytes_parameter: a power of two; 1 where the size is not known.
int by_bytes(const Problem& q);

/// Claim of a pipeline of n segments that take `steps` steps. In each segment `parts` parts of all
/// blocks are sent `times` times.
inline Claim claim_of(int n, const Problem& q, std::int64_t steps, std::int64_t times,
                      std::int64_t parts = 1) {
    return {steps == 0 ? 0 : steps + n - 1, times * parts * n * q.p};
}
inline Claim claim(const Problem& q, std::int64_t steps, std::int64_t times,
                   std::int64_t parts = 1) {
    return claim_of(of(q), q, steps, times, parts);
}

/// Number of segments of a pipeline for a vector of m bytes: the least whose time is at most
/// `within` times the shortest. A message of b bytes takes alpha + beta b. The time (steps + n - 1)
/// (alpha + beta m / n) is least at n = sqrt((steps - 1) m beta / alpha) (Sanders, Speck, Träff
/// 2009, Sec. 1). The result is a power of two, so that few plans serve all sizes, and within the
/// bounds of the parameter.
std::int64_t best(std::int64_t steps, double bytes, double alpha, double beta, double within = 1);

/// `within` of a program's calls. Near the minimum the time hardly depends on n, but a segment is a
/// message, which takes time of a core.
inline constexpr double kFewer = 1.1;

}  // namespace segments
}  // namespace hopbine
