/// The number of segments of a pipeline, from the size of a call.
#pragma once
#include "schedule/algorithm.hpp"

namespace hopbine::select {

/// `given`, and where `a` has a parameter of kind segments that is not among them: the number that
/// segments::best says for a vector of `bytes`, messages of b bytes taking alpha + beta b seconds.
Parameters with_segments(const Algorithm& a, Parameters given, int p, std::int64_t bytes,
                         double alpha, double beta);

}  // namespace hopbine::select
