/// Numbers of 16 bytes taken apart, and put together.
#pragma once
#include <algorithm>
#include <cstring>

#include "sums/binary.hpp"

namespace hopbine::sums {

/// A number as sign, whole number and exponent: (-1)^negative * magnitude * 2^lowest.
struct WideParts {
    bool negative = false, finite = true, nan = false;
    Wide magnitude = 0;
    int lowest = 0;

    bool zero() const { return finite && magnitude == 0; }
    bool special() const { return !finite || (negative && magnitude == 0); }
};

/// The exponent's bits of infinities and NaN.
inline constexpr unsigned kWideInfinity = 0x7fff;

/// Sign and exponent, and the bits of the significand that are kept.
struct WideFields {
    bool negative;
    unsigned exponent;
    Wide significand;
};

template <class T>
WideFields fields_of(const char* at);
template <>
inline WideFields fields_of<Extended>(const char* at) {
    std::uint64_t low = 0;
    std::uint16_t high = 0;
    std::memcpy(&low, at, sizeof low);
    std::memcpy(&high, at + sizeof low, sizeof high);
    return {(high >> 15) != 0, high & kWideInfinity, low};
}
template <>
inline WideFields fields_of<Quadruple>(const char* at) {
    Wide bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    const Wide mask = (Wide{1} << (Binary<Quadruple>::kDigits - 1)) - 1;
    return {(bits >> 127) != 0, static_cast<unsigned>(bits >> 112) & kWideInfinity, bits & mask};
}

/// The 16 bytes; those that the format does not have are zero.
template <class T>
void put_fields(const WideFields& of, char* at);
template <>
inline void put_fields<Extended>(const WideFields& of, char* at) {
    const auto low = static_cast<std::uint64_t>(of.significand);
    const auto high = static_cast<std::uint16_t>(unsigned{of.negative} << 15 | of.exponent);
    std::memset(at, 0, 16);
    std::memcpy(at, &low, sizeof low);
    std::memcpy(at + sizeof low, &high, sizeof high);
}
template <>
inline void put_fields<Quadruple>(const WideFields& of, char* at) {
    const Wide mask = (Wide{1} << (Binary<Quadruple>::kDigits - 1)) - 1;
    const Wide bits = Wide{of.negative} << 127 | Wide{of.exponent} << 112 | (of.significand & mask);
    std::memcpy(at, &bits, sizeof bits);
}

/// Bit patterns of x87 without the significand's highest bit, though the exponent is not 0, are
/// no numbers: its processors take them for NaN.
template <class T>
WideParts wide_parts(const char* at) {
    using B = Binary<T>;
    const WideFields f = fields_of<T>(at);
    constexpr bool kExplicit = B::kDigits == 64;
    constexpr Wide kHighest = Wide{1} << (B::kDigits - 1);
    WideParts out;
    out.negative = f.negative;
    out.finite = f.exponent != kWideInfinity;
    out.nan = !out.finite && f.significand != (kExplicit ? kHighest : 0);
    out.magnitude = f.significand | (kExplicit || f.exponent == 0 ? 0 : kHighest);
    out.lowest = B::kLowest - 1 + static_cast<int>(std::max(f.exponent, 1u));
    if (kExplicit && out.finite && f.exponent != 0 && f.significand < kHighest)
        out.finite = false, out.nan = true;
    return out;
}

/// Writes (-1)^negative * whole * 2^lowest, where the format has all bits of `whole`, or one more
/// that a carry has made. What is too large is infinite.
template <class T>
void put_number(bool negative, Wide whole, int lowest, char* at) {
    using B = Binary<T>;
    if (whole >> B::kDigits) whole >>= 1, ++lowest;
    const auto exponent = static_cast<unsigned>(lowest - B::kLowest) +
                          static_cast<unsigned>(whole >> (B::kDigits - 1));
    constexpr Wide kHighest = Wide{1} << (B::kDigits - 1);
    if (exponent >= kWideInfinity)
        put_fields<T>({negative, kWideInfinity, kHighest}, at);
    else
        put_fields<T>({negative, exponent, whole}, at);
}
/// Writes an infinity, or the positive quiet NaN.
template <class T>
void put_infinity(bool negative, char* at) {
    put_fields<T>({negative, kWideInfinity, Wide{1} << (Binary<T>::kDigits - 1)}, at);
}
template <class T>
void put_nan(char* at) {
    put_fields<T>({false, kWideInfinity, Wide{3} << (Binary<T>::kDigits - 2)}, at);
}

}  // namespace hopbine::sums
