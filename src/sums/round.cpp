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

/// Rounds top * 2^low, below which there is something more where `sticky`. `top` has more bits than
/// T, or all there are.
template <class T>
T rounded(bool negative, Wide top, int low, bool sticky) {
    using B = Binary<T>;
    using Bits = typename B::Bits;
    const Bits sign = negative ? B::kSign : 0;
    const int width = bit_width(top), end = low + width;  // its size is below 2^end
    if (top == 0) return std::bit_cast<T>(sign);
    if (end > B::kEnd) return std::bit_cast<T>(Bits(B::kInfinity | sign));
    const Wide aligned = top << (128 - width);
    const auto high = static_cast<std::uint64_t>(aligned >> 64);
    sticky |= static_cast<std::uint64_t>(aligned) != 0;
    const int kept = std::max(end - B::kDigits, B::kLowest), cut = kept - (end - 64);
    if (cut > 64) return std::bit_cast<T>(sign);  // less than half of the least number
    const std::uint64_t half = std::uint64_t{1} << (cut - 1), rest = high & (half + (half - 1));
    std::uint64_t whole = high >> (cut - 1) >> 1;
    const std::uint64_t odd = (whole & 1) | std::uint64_t{sticky};
    whole += std::uint64_t{rest > half} | (std::uint64_t{rest == half} & odd);  // without a branch
    // The hidden bit, and a carry out of the significand, raise the exponent by one.
    const auto exponent = static_cast<std::uint64_t>(kept - B::kLowest) << (B::kDigits - 1);
    return std::bit_cast<T>(static_cast<Bits>(static_cast<Bits>(exponent + whole) | sign));
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
    const bool negative = top < 0;  // half of the sums: a branch would be guessed wrong
    const Whole sign = negative ? -1 : 0;
    rest = ((rest ^ static_cast<std::uint64_t>(sign)) - static_cast<std::uint64_t>(sign)) & mask;
    top = (top ^ sign) + (negative & (rest == 0));
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
