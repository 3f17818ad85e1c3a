/// Words rounded, without a branch: code for one sum, or for some in vector registers.
#pragma once
#include <array>

#include "sums/binary.hpp"
#include "sums/format.hpp"
#include "sums/lanes.hpp"

namespace hopbine::sums {

/// Sums as digits of f.digit bits without a sign; the highest one has the sum's sign, and a carry.
/// kDigits: f.digits where that is known to the compiler, or 0.
template <class Lanes, int kDigits>
struct DigitsOf {
    using Word = typename Lanes::Word;
    using Whole = typename Lanes::Whole;
    Whole top{};
    std::array<Word, kDigits ? kDigits : kMostDigits> below;

    /// Word k of sum i is at [k * apart + i].
    HOPBINE_INLINE DigitsOf(const std::int64_t* words, std::size_t apart, const Format& f) {
        const auto load = [&](std::size_t k) {
            return Lanes::whole(Lanes::template load<std::uint64_t>(words + k * apart));
        };
        for (std::size_t k = 0; k < last(f); ++k) {
            top += load(k);
            below[k] = Lanes::word(top) & mask(f);
            top = top >> f.digit;
        }
        top += load(last(f));
    }
    /// Makes them the digits of the sum's size. Returns all bits where the sum is negative.
    HOPBINE_INLINE Word take_sign(const Format& f) {
        const Word negative = Lanes::word(top >> 63);
        Word up = negative & 1;
        for (std::size_t k = 0; k < last(f); ++k) {
            up += below[k] ^ (negative & mask(f));
            below[k] = up & mask(f);
            up = up >> f.digit;
        }
        top = Lanes::whole((Lanes::word(top) ^ negative) + up);
        return negative;
    }

private:
    static std::size_t last(const Format& f) {
        return static_cast<std::size_t>(kDigits ? kDigits : f.digits) - 1;
    }
    static std::uint64_t mask(const Format& f) { return (std::uint64_t{1} << f.digit) - 1; }
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
    HOPBINE_INLINE Top(DigitsOf<Lanes, kDigits>& digits, const Format& f)
        : negative(digits.take_sign(f)), bits(Lanes::word(digits.top)) {
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

/// Whether a sum in this format is zero or a normal number, and two of its digits have all bits of
/// a significand.
template <class T>
bool is_plain(const Format& f) {
    using B = Binary<T>;
    return f.digits <= 3 && f.digit >= B::kDigits && f.end() + (63 - f.digit) <= B::kEnd &&
           f.low >= B::kLowest + B::kDigits;
}

/// The highest bits of sums in a plain format, as whole numbers: of 63 bits and a sign, or of fewer
/// where no digit is left. The lowest bit is set where there is more below, so that to round them
/// gives what to round the sum gives. kJoined: digits below the highest one that are joined with it
/// where it has nothing but the sign.
template <class Lanes, int kDigits, int kJoined>
struct OddTop {
    using Word = typename Lanes::Word;
    using Whole = typename Lanes::Whole;
    Whole bits;
    Word down{};  ///< bits by which they reach below the highest digit

    HOPBINE_INLINE OddTop(const DigitsOf<Lanes, kDigits>& digits, const Format& f) {
        Whole top = digits.top;
        // The digit below what is joined, whether there is one, and all digits below that.
        Word next{}, found{}, more{};
        for (int k = kDigits - 2; k >= 0; --k) {
            Word rest = digits.below[static_cast<std::size_t>(k)], joins{};
            if (k >= kDigits - 1 - kJoined) {
                joins = Lanes::mask((top ^ top >> 63) == 0);
                const Word size = joins & static_cast<unsigned>(f.digit);
                top = top << Lanes::whole(size) | Lanes::whole(rest & joins);
                down += size;
                rest &= ~joins;
            }
            next |= rest & ~found;
            more |= rest & found;
            found |= ~joins;
        }
        next = next << (64 - f.digit);
        const Word up = 63 - Lanes::width_of_nonzero(Lanes::word(top ^ top >> 63) | 1);
        const Word high = Lanes::word(top) << up | next >> 1 >> (63 - up);
        bits = Lanes::whole(high | (Lanes::mask((next << up | more) != 0) & 1));
        down += up;
    }
};

/// rounded() for a plain format: fewer steps.
template <class T, class Lanes, int kDigits>
HOPBINE_INLINE typename Lanes::Word rounded_plain(const DigitsOf<Lanes, kDigits>& digits,
                                                  const Format& f) {
    using B = Binary<T>;
    using Word = typename Lanes::Word;
    const int exponent = f.end() - f.digit;                               // of the highest digit
    constexpr std::uint64_t kOne = std::uint64_t{1} << (B::kDigits - 1);  // of an exponent
    if constexpr (Lanes::kRoundsDoubles && B::kWide) {
        const OddTop<Lanes, kDigits, kDigits - 2> sum(digits, f);
        const Word scale = (static_cast<std::uint64_t>(exponent) - sum.down) * kOne;
        return Lanes::nearest_double(sum.bits) + (scale & Lanes::mask(sum.bits != 0));
    } else {
        constexpr int kCut = 63 - B::kDigits;
        const OddTop<Lanes, kDigits, kDigits - 1> sum(digits, f);
        const Word negative = Lanes::word(sum.bits >> 63),
                   size = (Lanes::word(sum.bits) ^ negative) - negative, odd = size >> kCut & 1;
        const Word whole = (size + ((std::uint64_t{1} << (kCut - 1)) - 1) + odd) >> kCut;
        // The hidden bit, and a carry out of the significand, raise the exponent by one.
        const Word scale = (static_cast<std::uint64_t>(exponent + kCut - B::kLowest) - sum.down)
                           << (B::kDigits - 1);
        return ((scale + whole) & Lanes::mask(sum.bits != 0)) | (negative & B::kSign);
    }
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
                                T* values) {
    DigitsOf<Lanes, kDigits> digits(words, apart, f);
    typename Lanes::Word bits;
    if constexpr (kPlain)
        bits = rounded_plain<T, Lanes, kDigits>(digits, f);
    else
        bits = rounded<T, Lanes>({digits, f});
    if (f.special)
        bits =
            with_specials<T, Lanes>(bits, Lanes::template load<std::uint64_t>(
                                              words + static_cast<std::size_t>(f.digits) * apart));
    Lanes::template store<typename Binary<T>::Bits>(bits, values);
}

}  // namespace hopbine::sums
