#include "sums/round.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "sums/binary.hpp"

namespace hopbine::sums {

namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using Whole = __int128;

int bit_width(Wide v) {
    const auto high = static_cast<std::uint64_t>(v >> 64);
    return static_cast<int>(high ? 64 + std::bit_width(high)
                                 : std::bit_width(static_cast<std::uint64_t>(v)));
}

/// (-1)^negative * magnitude * 2^lowest, which T has or which is too large.
template <class T>
T assembled(bool negative, std::uint64_t magnitude, int lowest) {
    using B = Binary<T>;
    using Bits = typename B::Bits;
    const Bits sign = negative ? B::kSign : 0;
    if (magnitude == 0) return std::bit_cast<T>(sign);
    const int width = bit_width(magnitude), end = lowest + width;
    if (end > B::kEnd) return std::bit_cast<T>(Bits(B::kInfinity | sign));
    if (end - B::kDigits < B::kLowest)  // subnormal
        return std::bit_cast<T>(Bits(static_cast<Bits>(magnitude) << (lowest - B::kLowest) | sign));
    const Bits significand = static_cast<Bits>(
        width > B::kDigits ? magnitude >> (width - B::kDigits) : magnitude << (B::kDigits - width));
    const Bits exponent = static_cast<Bits>(end - B::kDigits - B::kLowest + 1);
    return std::bit_cast<T>(
        Bits(exponent << (B::kDigits - 1) | (significand & (B::kHidden - 1)) | sign));
}

/// Rounds top * 2^low, below which there is something more where `sticky`. `top` has more bits than
/// T, or all there are.
template <class T>
T rounded(bool negative, Wide top, int low, bool sticky) {
    using B = Binary<T>;
    const int kept = std::max(low + bit_width(top) - B::kDigits, B::kLowest), cut = kept - low;
    if (cut <= 0) return assembled<T>(negative, static_cast<std::uint64_t>(top), low);
    if (cut >= 128) return assembled<T>(negative, 0, B::kLowest);
    const Wide half = Wide{1} << (cut - 1), rest = top & (2 * half - 1);
    auto magnitude = static_cast<std::uint64_t>(top >> (cut - 1) >> 1);
    magnitude += rest > half || (rest == half && (sticky || (magnitude & 1)));
    return assembled<T>(negative, magnitude, kept);
}

/// The digits without a sign, and a carry as the last one. Returns whether the number is negative.
bool carry_through(const std::int64_t* words, const Format& f, std::uint64_t* digits) {
    const std::uint64_t mask = (std::uint64_t{1} << f.digit) - 1;
    std::int64_t carry = 0;
    for (int k = 0; k < f.digits; ++k) carry = (words[k] + carry) >> f.digit;
    const std::int64_t sign = carry >> 63;
    carry = 0;
    for (int k = 0; k < f.digits; ++k) {
        const std::int64_t word = ((words[k] ^ sign) - sign) + carry;
        digits[k] = static_cast<std::uint64_t>(word) & mask;
        carry = word >> f.digit;
    }
    digits[f.digits] = static_cast<std::uint64_t>(carry);
    return sign != 0;
}

/// The sum of three digits, whose lowest one counts only where the others have few bits.
template <class T>
T round_three(std::int64_t high, std::int64_t middle, std::int64_t low, const Format& f) {
    const std::uint64_t mask = (std::uint64_t{1} << f.digit) - 1;
    Whole top = (Whole{high} << f.digit) + middle + (low >> f.digit);
    std::uint64_t rest = static_cast<std::uint64_t>(low) & mask;
    const bool negative = top < 0;
    if (negative) {
        top = -top - (rest != 0);
        rest = (mask + 1 - rest) & mask;
    }
    const auto above = static_cast<Wide>(top);
    if (above >> 64 == 0) return rounded<T>(negative, above << f.digit | rest, f.low, false);
    return rounded<T>(negative, above, f.low + f.digit, rest != 0);
}

/// The sum of any digits.
template <class T>
T round_any(const std::int64_t* words, const Format& f) {
    std::array<std::uint64_t, kMostDigits + 1> digits;
    const bool negative = carry_through(words, f, digits.data());
    int k = f.digits;
    while (k > 0 && digits[static_cast<std::size_t>(k)] == 0) --k;
    Wide top = digits[static_cast<std::size_t>(k)];
    while (k > 0 && top >> 64 == 0) top = top << f.digit | digits[static_cast<std::size_t>(--k)];
    const int low = f.low + k * f.digit;
    bool sticky = false;
    while (k > 0) sticky |= digits[static_cast<std::size_t>(--k)] != 0;
    return rounded<T>(negative, top, low, sticky);
}

template <class T>
T round_one(const std::int64_t* words, const Format& f) {
    switch (f.digits) {
    case 1: return round_three<T>(0, 0, words[0], f);
    case 2: return round_three<T>(0, words[1], words[0], f);
    case 3: return round_three<T>(words[2], words[1], words[0], f);
    default: return round_any<T>(words, f);
    }
}

/// A sum that has infinities, or is zero.
template <class T>
T special_sum(T number, std::int64_t counts) {
    using B = Binary<T>;
    using Bits = typename B::Bits;
    const bool positive = Specials::has(counts, Specials::kPositive),
               negative = Specials::has(counts, Specials::kNegative);
    if (positive && negative) return std::bit_cast<T>(Bits(B::kInfinity | B::kHidden >> 1));
    if (positive || negative)
        return std::bit_cast<T>(Bits(B::kInfinity | (negative ? B::kSign : 0)));
    if (!Specials::has(counts, Specials::kOther)) return std::bit_cast<T>(B::kSign);
    return number;
}

}  // namespace

template <class T>
void round_sums(const std::int64_t* words, std::size_t n, const Format& f, T* values) {
    for (std::size_t i = 0; i < n; ++i, words += f.words()) {
        const T number = round_one<T>(words, f);
        values[i] = f.special ? special_sum(number, words[f.digits]) : number;
    }
}

template void round_sums(const std::int64_t*, std::size_t, const Format&, float*);
template void round_sums(const std::int64_t*, std::size_t, const Format&, double*);

}  // namespace hopbine::sums
