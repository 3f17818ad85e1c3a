/// What binary floating-point types are made of, by IEEE 754.
#pragma once
#include <cstdint>
#include <type_traits>

namespace hopbine::sums {

/// Types whose sums are exact: float and double.
template <class T>
struct Binary {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
    static constexpr bool kWide = sizeof(T) == sizeof(std::uint64_t);
    using Bits = std::conditional_t<kWide, std::uint64_t, std::uint32_t>;
    static constexpr int kDigits = kWide ? 53 : 24;       ///< bits of a significand
    static constexpr int kLowest = kWide ? -1074 : -149;  ///< exponent of the least bit of all
    static constexpr int kEnd = kWide ? 1024 : 128;       ///< every finite value is below 2^kEnd
    static constexpr int kExponents = kEnd - kLowest - kDigits + 1;  ///< 2,046 or 254
    static constexpr Bits kHidden = Bits{1} << (kDigits - 1);
    static constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
    static constexpr Bits kInfinity = Bits{kExponents + 1} << (kDigits - 1);
};

}  // namespace hopbine::sums
