/// Duals: algorithms that are the time reversal of another. Gather is the dual of scatter, reduce
/// of bcast, and reduce_scatter and allgather of each other.
#pragma once
#include "combinators/combinators.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine {

/// The `dual` of a record; `original` is the record of an algorithm that has no dual itself.
template <Algorithm& original>
inline constexpr Dual dual_of{
    &original, [](const Problem& q) { return original.claim(problem_of(original.collective, q)); },
    [](const Problem& q) {
        return reversed(original.make(problem_of(original.collective, q)),
                        reduces(q.collective) ? Op::reduce : Op::copy);
    }};

}  // namespace hopbine
