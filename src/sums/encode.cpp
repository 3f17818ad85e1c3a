#include "sums/encode.hpp"

#include <algorithm>
#include <cstring>

#include "sums/binary.hpp"

namespace hopbine::sums {

namespace {

template <class T>
std::int64_t specials_of(const Parts<T>& v) {
    if (!v.finite && v.is_nan())
        return Specials::kPositive + Specials::kNegative + Specials::kOther;
    if (!v.finite)
        return (v.negative ? Specials::kNegative : Specials::kPositive) + Specials::kOther;
    return v.is_negative_zero() ? 0 : Specials::kOther;
}

/// Bits from `at` on of a magnitude; at < 0: it begins above them. Without a branch.
inline std::uint64_t bits_at(std::uint64_t magnitude, int at) {
    const int down = std::clamp(at, 0, 63), up = std::clamp(-at, 0, 63);
    return magnitude >> down << up;
}

/// The digits of a value, which the window has: most are zero where there are many.
template <class T, int kDigits>
void write_digits(const Parts<T>& v, int shift, const Format& f, std::int64_t* to) {
    const std::uint64_t mask = (std::uint64_t{1} << f.digit) - 1;
    const std::int64_t sign = v.negative ? -1 : 0;
    const auto write = [&](int k) {
        const int at = k * f.digit - shift;  // the bit of the magnitude that digit k begins with
        const bool apart = at >= Binary<T>::kDigits || at <= -f.digit;
        const auto digit = static_cast<std::int64_t>(apart ? 0 : bits_at(v.magnitude, at) & mask);
        to[k] = (digit ^ sign) - sign;
    };
    if constexpr (kDigits > 0) {
        for (int k = 0; k < kDigits; ++k) write(k);
    } else {
        std::memset(to, 0, static_cast<std::size_t>(f.digits) * sizeof *to);
        const int first = shift / f.digit,
                  end = std::min(f.digits, (shift + Binary<T>::kDigits - 1) / f.digit + 1);
        for (int k = first; k < end; ++k) write(k);
    }
}

/// kDigits: f.digits where that is known to the compiler; else 0.
template <class T, int kDigits>
bool encode_as(const T* values, std::size_t n, const Format& f, std::int64_t* words) {
    const int digits = kDigits ? kDigits : f.digits, most = digits * f.digit - Binary<T>::kDigits;
    bool fits = true;
    for (std::size_t i = 0; i < n; ++i) {
        const Parts<T> v(values[i]);
        const bool special = !v.finite || v.is_negative_zero();
        const bool zero = !v.finite || v.magnitude == 0;
        int shift = zero ? 0 : v.lowest - f.low;
        const bool inside = shift >= 0 && shift <= most;
        fits &= (inside || zero) && (!special || f.special);
        Parts<T> number = v;
        if (zero || !inside) number.magnitude = 0;
        if (!inside) shift = 0;
        write_digits<T, kDigits>(number, shift, f, words);
        if (f.special) words[digits] = specials_of(v);
        words += digits + f.special;
    }
    return fits;
}

}  // namespace

template <class T>
Range range_of(const T* values, std::size_t n) {
    Range out;
    for (std::size_t i = 0; i < n; ++i) {
        const Parts<T> v(values[i]);
        out.special |= !v.finite || v.is_negative_zero();
        const bool counts = v.finite && v.magnitude != 0;
        out.low = std::min(out.low, counts ? v.lowest : Range::kNone);
        out.end = std::max(out.end, counts ? v.lowest + Binary<T>::kDigits : -Range::kNone);
    }
    return out;
}

template <class T>
bool encode(const T* values, std::size_t n, const Format& f, std::int64_t* words) {
    switch (f.digits) {
    case 1: return encode_as<T, 1>(values, n, f, words);
    case 2: return encode_as<T, 2>(values, n, f, words);
    case 3: return encode_as<T, 3>(values, n, f, words);
    default: return encode_as<T, 0>(values, n, f, words);
    }
}

template Range range_of(const float*, std::size_t);
template Range range_of(const double*, std::size_t);
template bool encode(const float*, std::size_t, const Format&, std::int64_t*);
template bool encode(const double*, std::size_t, const Format&, std::int64_t*);

}  // namespace hopbine::sums
