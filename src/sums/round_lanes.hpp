/// Words rounded, without a branch: code for one sum, or for some in vector registers.
#pragma once
#include <array>

#include "sums/binary.hpp"
#include "sums/format.hpp"
#include "sums/lanes.hpp"

namespace hopbine::sums {

/// Sums as sign and digits without a sign: the highest one, which has a carry too, and those below.
/// kDigits: f.digits where that is known to the compiler, or 0.
template <class Lanes, int kDigits>
struct DigitsOf {
    using Word = typename Lanes::Word;
    using Whole = typename Lanes::Whole;
    Word negative, top;
    std::array<Word, kDigits ? kDigits : kMostDigits> below;

    /// Word k of sum i is at [k * apart + i].
    HOPBINE_INLINE DigitsOf(const std::int64_t* words, std::size_t apart, const Format& f) {
        const std::size_t last = static_cast<std::size_t>(kDigits ? kDigits : f.digits) - 1;
        const std::uint64_t mask = (std::uint64_t{1} << f.digit) - 1;
        const auto load = [&](std::size_t k) {
            return Lanes::whole(Lanes::template load<std::uint64_t>(words + k * apart));
        };
        Whole carry{};
        for (std::size_t k = 0; k < last; ++k) {
            carry += load(k);
            below[k] = Lanes::word(carry) & mask;
            carry = carry >> f.digit;
        }
        carry += load(last);
        negative = Lanes::word(carry >> 63);
        Word up = negative & 1;
        for (std::size_t k = 0; k < last; ++k) {
            up += below[k] ^ (negative & mask);
            below[k] = up & mask;
            up = up >> f.digit;
        }
        top = (Lanes::word(carry) ^ negative) + up;
    }
};

/// Sums as sign and whole number: the highest 64 bits that are not zero, the exponent of the lowest
/// of these, and whether there is more below them.
template <class Lanes>
struct Top {
    using Word = typename Lanes::Word;
    using Whole = typename Lanes::Whole;
    Word negative, bits, more{};
    Whole low;

    template <int kDigits>
    HOPBINE_INLINE Top(const DigitsOf<Lanes, kDigits>& digits, const Format& f)
        : negative(digits.negative), bits(digits.top) {
        auto k = static_cast<std::size_t>(kDigits ? kDigits : f.digits) - 1;
        low = Whole{} + (f.low + static_cast<int>(k) * f.digit);
        if constexpr (Lanes::kLanes == 1 && !kDigits) {  // of one number, most digits are zero
            while (k > 0 && !bits) {
                bits = digits.below[--k];
                low -= f.digit;
            }
        }
        while (k-- > 0) append(digits.below[k], f.digit);
    }

private:
    /// Takes bits of the digit below, as many as there is room for.
    HOPBINE_INLINE void append(Word digit, int digit_bits) {
        if constexpr (Lanes::kLanes == 1) {
            if (bits >> 63) {
                more |= digit;
                return;
            }
        }
        const Whole room = Lanes::whole(64 - Lanes::width(bits)), size = Whole{} + digit_bits;
        const Word taken = Lanes::word(least(room, size)), left = Lanes::word(size) - taken;
        bits = bits << taken | digit >> left;  // a digit has no more than 62 bits
        more |= digit & (((Word{} + 1) << left) - 1);
        low -= Lanes::whole(taken);
    }
};

/// The bits of type T of sums: rounded to nearest, ties to even.
template <class T, class Lanes>
HOPBINE_INLINE typename Lanes::Word rounded(const Top<Lanes>& sum) {
    using B = Binary<T>;
    using Word = typename Lanes::Word;
    using Whole = typename Lanes::Whole;
    const Word width = Lanes::width(sum.bits);
    const Whole end = sum.low + Lanes::whole(width);  // the sum's size is below 2^end
    const Word high = sum.bits << ((64 - width) & 63);
    const Whole kept = most(end - B::kDigits, Whole{} + B::kLowest), cut = kept - (end - 64);
    // Less than half of the least number is rounded to zero.
    const Word none = Lanes::mask(sum.bits == 0) | Lanes::mask(cut > 64);
    const Word at = Lanes::word(least(cut, Whole{} + 64)) - 1, half = (Word{} + 1) << at;
    const Word whole = high >> at >> 1;
    const Word tie = Lanes::mask(((high & (half - 1)) | sum.more) == 0) & ~whole;
    const Word up = high >> at & ~tie & 1;
    // The hidden bit, and a carry out of the significand, raise the exponent by one.
    const Word exponent = Lanes::word(kept - B::kLowest) << (B::kDigits - 1);
    const Word finite = (exponent + whole + up) & ~none, infinite = Lanes::mask(end > B::kEnd);
    return (finite & ~infinite) | (infinite & ~none & B::kInfinity) | (sum.negative & B::kSign);
}

/// Whether a sum in this format is zero or a normal number, and has all bits of a significand in
/// its highest digit that is not zero and the one below.
template <class T>
bool is_plain(const Format& f) {
    using B = Binary<T>;
    return f.digits <= 3 && f.digit >= B::kDigits && f.end() + (63 - f.digit) <= B::kEnd &&
           f.low + (f.digits == 3 ? f.digit : 0) >= B::kLowest + B::kDigits;
}

/// rounded() for a plain format: fewer steps. Adds to `unknown` the sums whose result is wrong: of
/// three digits, where the upper two are zero.
template <class T, class Lanes, int kDigits>
HOPBINE_INLINE typename Lanes::Word rounded_plain(const DigitsOf<Lanes, kDigits>& digits,
                                                  const Format& f, typename Lanes::Word* unknown) {
    using B = Binary<T>;
    using Word = typename Lanes::Word;
    constexpr int kCut = 63 - B::kDigits;
    const Word last = Lanes::mask(digits.top == 0);
    Word top = digits.top, next{}, more{};
    if constexpr (kDigits > 1) {
        top |= digits.below[kDigits - 2] & last;
        next = digits.below[kDigits - 2] & ~last;
    }
    if constexpr (kDigits > 2) {
        next |= digits.below[0] & last;
        more = digits.below[0] & ~last;
    }
    const Word zero = Lanes::mask(top == 0);
    // A digit and a carry have 63 bits at most.
    const Word up = (63 - Lanes::width_of_nonzero(top)) & 63;
    Word high = top << up;
    if constexpr (kDigits > 1) {
        next = next << (64 - f.digit);
        high |= next >> 1 >> (63 - up);
        high |= Lanes::mask((next << up | more) != 0) & 1;
    }
    const Word odd = high >> kCut & 1;
    const Word whole = (high + ((std::uint64_t{1} << (kCut - 1)) - 1) + odd) >> kCut;
    const int lowest = f.end() - f.digit + kCut - B::kLowest;
    const Word exponent =
        static_cast<unsigned>(lowest) - up - (last & static_cast<unsigned>(f.digit));
    if constexpr (kDigits > 2) *unknown |= zero;
    return ((((exponent << (B::kDigits - 1)) + whole) & ~zero) | (digits.negative & B::kSign));
}

/// The bits of sums whose specials were counted.
template <class T, class Lanes>
HOPBINE_INLINE typename Lanes::Word with_specials(typename Lanes::Word number,
                                                  typename Lanes::Word counts) {
    using B = Binary<T>;
    using Word = typename Lanes::Word;
    constexpr std::uint64_t kField = (std::uint64_t{1} << Specials::kBits) - 1;
    const auto has = [&](std::int64_t what) {
        return Lanes::mask((counts & kField * static_cast<std::uint64_t>(what)) != 0);
    };
    const Word plus = has(Specials::kPositive), minus = has(Specials::kNegative),
               finite = ~(plus | minus), other = has(Specials::kOther);
    return (finite & other & number) | (finite & ~other & B::kSign) | (~finite & B::kInfinity) |
           (plus & minus & (B::kHidden >> 1)) | (minus & ~plus & B::kSign);
}

/// Writes as many sums as there are lanes. kPlain: the format is plain.
template <class T, class Lanes, int kDigits, bool kPlain>
HOPBINE_INLINE void round_lanes(const std::int64_t* words, std::size_t apart, const Format& f,
                                T* values, typename Lanes::Word* unknown) {
    const DigitsOf<Lanes, kDigits> digits(words, apart, f);
    typename Lanes::Word bits;
    if constexpr (kPlain)
        bits = rounded_plain<T, Lanes, kDigits>(digits, f, unknown);
    else
        bits = rounded<T, Lanes>({digits, f});
    if (f.special)
        bits =
            with_specials<T, Lanes>(bits, Lanes::template load<std::uint64_t>(
                                              words + static_cast<std::size_t>(f.digits) * apart));
    Lanes::template store<typename Binary<T>::Bits>(bits, values);
}

}  // namespace hopbine::sums
