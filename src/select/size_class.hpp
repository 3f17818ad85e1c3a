/// Size classes: powers of two of bytes.
#pragma once
#include <bit>

#include "select/rules.hpp"

namespace hopbine::select {

/// Size class of calls whose bytes not all ranks know.
inline constexpr int kNoClass = -1;

/// The size class of a call: 0 for no bytes, k for bytes in (2^(k-2), 2^(k-1)]; kNoClass for
/// kUnknown.
constexpr int size_class(std::int64_t bytes) {
    if (bytes <= 0) return bytes < 0 ? kNoClass : 0;
    return std::bit_width(static_cast<std::uint64_t>(bytes - 1)) + 1;
}

/// The bytes of a size class but kNoClass.
constexpr Range sizes_of(int size_class) {
    if (size_class <= 0) return {0, 0};
    if (size_class > 63) return {(std::int64_t{1} << 62) + 1, Range{}.high};
    const std::int64_t high = std::int64_t{1} << (size_class - 1);
    return {high > 1 ? high / 2 + 1 : high, high};
}

}  // namespace hopbine::select
