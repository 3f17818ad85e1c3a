/// The number of segments of a pipeline for the size of a call.
#pragma once
#include "schedule/algorithm.hpp"

namespace hopbine::select {

/// Adds the number of segments to `given` if `a` has a parameter of Kind::segments without a value.
/// It is that of segments::best for a vector of `bytes`, with alpha + beta b seconds per message of
/// b bytes, and `within`. `shape`: the torus of the p ranks; empty: one dimension.
Parameters with_segments(const Algorithm& a, Parameters given, int p, const std::vector<int>& shape,
                         std::int64_t bytes, double alpha, double beta, double within = 1);

}  // namespace hopbine::select
