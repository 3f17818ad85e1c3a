/// Values as words of an exact sum.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sums/format.hpp"

namespace hopbine::sums {

/// The bits that n values need.
template <class T>
Range range_of(const T* values, std::size_t n);

/// Writes n values as f.words() words each, one value after the other. False: some do not fit, and
/// the words are of no use.
template <class T>
bool encode(const T* values, std::size_t n, const Format& f, std::int64_t* words);

}  // namespace hopbine::sums
