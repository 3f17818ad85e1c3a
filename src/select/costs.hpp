/// Costs of candidates for one call.
#pragma once
#include <vector>

#include "select/cost_choice.hpp"

namespace hopbine::select {

struct Cost {
    int candidate;
    double seconds;  ///< modelled; of a nonblocking call the mean of alone and beside computation
    double scarce;   ///< blocks on the scarcest links
};

/// Costs of all candidates that are fit for the operation.
std::vector<Cost> costs(const Costed& all, double bytes, Operands operands);
/// The candidate with the least volume on scarce links within the patience. Null if there is none.
const Cost* choice_of(const std::vector<Cost>& fit, double patience);

}  // namespace hopbine::select
