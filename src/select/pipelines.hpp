/// The number of segments of a pipeline, from the size of a call.
#pragma once
#include "schedule/algorithm.hpp"

namespace hopbine::select {

/// The parameter that has the number of segments; null: `a` is no pipeline.
const Parameter* segments_of(const Algorithm& a);
/// `given` as it is, or with a number of segments where `a` is a pipeline and `given` has none.
Parameters in_segments(const Algorithm& a, Parameters given, std::int64_t n);

/// `given`, and where `a` has a parameter of kind segments that is not among them: the number that
/// segments::best says for a vector of `bytes`, messages of b bytes taking alpha + beta b seconds.
Parameters with_segments(const Algorithm& a, Parameters given, int p, std::int64_t bytes,
                         double alpha, double beta);

}  // namespace hopbine::select
