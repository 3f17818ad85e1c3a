/// Words of an exact sum, rounded once.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sums/format.hpp"

namespace hopbine::sums {

/// The number that the f.words() words of each of n sums stand for, rounded to nearest, ties to
/// even, whatever the processor's mode. NaN where an addend is, or infinities of both signs; it has
/// one bit pattern, the positive quiet one. -0 where all addends are -0; any other sum that is
/// zero is +0.
template <class T>
void round_sums(const std::int64_t* words, std::size_t n, const Format& f, T* values);

}  // namespace hopbine::sums
