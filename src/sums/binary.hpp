/// What binary floating-point types are made of, by IEEE 754.
#pragma once
#include <bit>
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

/// A value as sign, whole number and exponent: (-1)^negative * magnitude * 2^lowest.
template <class T>
struct Parts {
    bool negative, finite;
    std::uint64_t magnitude;
    int lowest;

    explicit Parts(T value) {
        using B = Binary<T>;
        const auto bits = std::bit_cast<typename B::Bits>(value);
        const int exponent = static_cast<int>((bits & ~B::kSign) >> (B::kDigits - 1));
        negative = (bits & B::kSign) != 0;
        finite = exponent <= B::kExponents;
        magnitude = (bits & (B::kHidden - 1)) | (exponent ? B::kHidden : 0);
        lowest = (exponent ? exponent : 1) + B::kLowest - 1;
    }
    bool is_nan() const { return !finite && magnitude != Binary<T>::kHidden; }
    bool is_negative_zero() const { return negative && magnitude == 0; }
};

}  // namespace hopbine::sums
