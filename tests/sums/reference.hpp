/// Sums of doubles, floats and products by another method than src/sums: a large whole number in
/// two's complement, to which bits are added one by one, and which is rounded bit by bit.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hopbine::sums {

class Reference {
public:
    void add(double value) { add_product(value, 1); }
    void add_product(double x, double y) {
        const double sign = std::copysign(1, x) * std::copysign(1, y);
        any_ = true;
        if (std::isnan(x) || std::isnan(y) || (std::isinf(x) && y == 0) ||
            (std::isinf(y) && x == 0))
            nan_ = true;
        else if (std::isinf(x) || std::isinf(y))
            (sign < 0 ? minus_ : plus_) = true;
        if (x != 0 && y != 0) all_negative_zeros_ = false;
        if ((x == 0 || y == 0) && sign > 0) all_negative_zeros_ = false;
        if (!std::isfinite(x) || !std::isfinite(y) || x == 0 || y == 0) return;
        int a = 0, b = 0;
        auto m = static_cast<std::int64_t>(std::ldexp(std::frexp(std::fabs(x), &a), 53)),
             n = static_cast<std::int64_t>(std::ldexp(std::frexp(std::fabs(y), &b), 53));
        for (int j = 0; j < 53; ++j)
            if (n >> j & 1)
                for (int i = 0; i < 53; ++i)
                    if (m >> i & 1) add_bit(a + b - 106 + i + j, sign < 0);
    }

    template <class T>
    T rounded() const {
        using Limits = std::numeric_limits<T>;
        if (nan_ || (plus_ && minus_)) return Limits::quiet_NaN();
        if (plus_) return Limits::infinity();
        if (minus_) return -Limits::infinity();
        Bits bits = bits_;
        const bool negative = bits.back();
        if (negative) negate(bits);
        int top = kBits - 1;
        while (top >= 0 && !bits[static_cast<std::size_t>(top)]) --top;
        if (top < 0) return any_ && all_negative_zeros_ ? T(-0.0) : T(0);
        const int least = Limits::min_exponent - Limits::digits - kLow;
        const int kept = std::max(top - Limits::digits + 1, least);
        std::uint64_t whole = 0;
        for (int i = top; i >= kept; --i) whole = 2 * whole + bits[static_cast<std::size_t>(i)];
        bool below = false;
        for (int i = kept - 2; i >= 0; --i) below |= bits[static_cast<std::size_t>(i)];
        const bool half = kept > 0 && bits[static_cast<std::size_t>(kept - 1)];
        if (half && (below || whole % 2)) ++whole;
        const T size = static_cast<T>(std::ldexp(static_cast<long double>(whole), kept + kLow));
        return negative ? -size : size;
    }

private:
    static constexpr int kLow = -2300, kBits = 4600;
    using Bits = std::array<bool, kBits>;

    void add_bit(int exponent, bool negative) {
        auto at = static_cast<std::size_t>(exponent - kLow);
        if (negative) {  // subtracts: borrows from the next set bit
            while (at < kBits && !bits_[at]) bits_[at++] = true;
            if (at < kBits) bits_[at] = false;
        } else {
            while (at < kBits && bits_[at]) bits_[at++] = false;
            if (at < kBits) bits_[at] = true;
        }
    }
    static void negate(Bits& bits) {
        bool carry = true;
        for (bool& bit : bits) {
            const bool flipped = !bit;
            bit = flipped != carry;
            carry = flipped && carry;
        }
    }

    Bits bits_{};
    bool any_ = false, nan_ = false, plus_ = false, minus_ = false, all_negative_zeros_ = true;
};

}  // namespace hopbine::sums
