/// The words that hold an exact sum on its way between ranks.
///
/// A word is a digit of a fixed-point number with some bits to spare: words of several ranks are
/// added as plain 64-bit integers, in any order, and no carry is lost. So an exact sum is
/// MPI_INT64_T and MPI_SUM, which every algorithm and every MPI library has.
#pragma once
#include <cstddef>
#include <cstdint>

namespace hopbine::sums {

/// The addends' bits: of ranks' values, before they are added.
struct Range {
    static constexpr int kNone = 1 << 20;
    int low = kNone;       ///< exponent of the lowest bit of any
    int end = -kNone;      ///< all are below 2^end
    bool special = false;  ///< there are infinities, NaN or -0
    bool empty() const { return low > end; }
};

/// Most digits of a format: of products of doubles.
inline constexpr int kMostDigits = 112;
/// Numbers whose words interleave, for vector registers: word k of each of eight stands beside word
/// k of the others. What is left of a vector's numbers has its words one number after the other.
inline constexpr std::size_t kBlock = 8;

/// A window of bits, and the words that hold it. A number is the sum of word k * 2^(low + k *
/// digit).
struct Format {
    int low = 0;           ///< exponent of the lowest bit
    int digits = 0;        ///< words of the number; 0: there is no format
    int digit = 0;         ///< bits of each
    bool special = false;  ///< one word more counts infinities, NaN and -0
    int spare = 0;         ///< bits below end() that no value has, for a flag

    int words() const { return digits + special; }
    int end() const { return low + digits * digit; }
    /// The word of n > 0 numbers, the highest one of the first number, to which ranks may add
    /// flags. The sum of that digit has fewer bits than a flag.
    std::size_t flag_at(std::size_t n) const {
        return static_cast<std::size_t>(digits - 1) * (n < kBlock ? 1 : kBlock);
    }
    std::int64_t flag() const { return std::int64_t{1} << (digit - 1); }
    /// Whether flags were added to a word.
    bool has_flags(std::int64_t word) const {
        return (word + (std::int64_t{1} << (digit - 2))) >> (digit - 1) != 0;
    }
    explicit operator bool() const { return digits > 0; }
};

/// Most addends of a sum: their specials are counted in a word (Specials).
inline constexpr int kMostAddends = (1 << 21) - 1;

/// Bits of a digit that leave room for so many addends in a word of 63 bits and a sign.
int digit_bits(int addends);

/// The format for the sum of `addends` values of type T, whatever they are.
template <class T>
Format full_format(int addends);
/// The format for values in the range, with at least `slack` bits beside them, and with flags.
template <class T>
Format format_for(const Range& range, int addends, int slack);
/// A format for bits from 2^low up to below 2^end, with specials.
Format wide_format(int low, int end, int addends);

/// Counts of addends, in the word after the digits: fields of 21 bits.
struct Specials {
    static constexpr int kBits = 21;
    static constexpr std::int64_t kPositive = 1;              ///< +infinity, or NaN
    static constexpr std::int64_t kNegative = 1ll << kBits;   ///< -infinity, or NaN
    static constexpr std::int64_t kOther = 1ll << 2 * kBits;  ///< anything but -0
    static bool has(std::int64_t word, std::int64_t what) {
        return (word / what & ((1ll << kBits) - 1)) != 0;
    }
};

}  // namespace hopbine::sums
