/// Algorithms that are another one backwards in time: gather of scatter, reduce of bcast,
/// reduce_scatter and allgather of each other.
#pragma once
#include "combinators/combinators.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine {

/// The record's `dual`: `original` is the record of an algorithm that has none itself.
template <Algorithm& original>
inline constexpr Dual dual_of{
    &original, [](const Problem& q) { return original.claim(problem_of(original.collective, q)); },
    [](const Problem& q) {
        return reversed(original.make(problem_of(original.collective, q)),
                        reduces(q.collective) ? Op::reduce : Op::copy);
    }};

}  // namespace hopbine
