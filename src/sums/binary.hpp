/// What binary floating-point types are made of, by IEEE 754.
#pragma once
#include <cstdint>
#include <type_traits>

namespace hopbine::sums {

__extension__ using Wide = unsigned __int128;

/// Formats of 16 bytes for which not every compiler has a type: x87's extended precision, 80 bits
/// of which one is the highest of the significand, and IEEE's binary128.
struct Extended {};
struct Quadruple {};

/// Numbers whose sums are exact: float, double, and those of 16 bytes.
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
template <>
struct Binary<Extended> {
    static constexpr int kDigits = 64, kLowest = -16445, kEnd = 16384;
};
template <>
struct Binary<Quadruple> {
    static constexpr int kDigits = 113, kLowest = -16494, kEnd = 16384;
};

}  // namespace hopbine::sums
