#include "sums/wide.hpp"

#include <array>
#include <bit>

#include "sums/wide_parts.hpp"

namespace hopbine::sums {

namespace {

constexpr std::size_t kBytes = 16;
/// Most digits of a format: of all values, and of a window's slack (at most 256 bits) beside them.
constexpr int kLeastDigit = 63 - static_cast<int>(std::bit_width(unsigned{kMostAddends} - 1)),
              kMostWideDigits =
                  (Binary<Quadruple>::kEnd - Binary<Quadruple>::kLowest + 256) / kLeastDigit + 1;

/// The words of one of n numbers, which interleave with those of its block.
template <class Word>
class WordsOf {
public:
    WordsOf(Word* words, std::size_t i, std::size_t n, const Format& f) {
        const auto each = static_cast<std::size_t>(f.words());
        const bool in_block = i < n / kBlock * kBlock;
        begin_ = words + (in_block ? i / kBlock * kBlock * each + i % kBlock : i * each);
        apart_ = in_block ? kBlock : 1;
    }
    Word& operator[](std::size_t k) const { return begin_[k * apart_]; }

private:
    Word* begin_;
    std::size_t apart_;
};

int width_of(Wide bits) {
    const auto high = static_cast<std::uint64_t>(bits >> 64);
    return high ? 64 + static_cast<int>(std::bit_width(high))
                : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bits)));
}

/// Adds bits that lie `place` above the format's lowest.
void add_bits(std::uint64_t bits, int place, bool negative, const Format& f,
              const WordsOf<std::int64_t>& words) {
    Wide left = Wide{bits} << place % f.digit;
    for (auto k = static_cast<std::size_t>(place / f.digit); left; ++k, left >>= f.digit) {
        const auto digit = static_cast<std::int64_t>(left & ((Wide{1} << f.digit) - 1));
        words[k] += negative ? -digit : digit;
    }
}

std::int64_t counts_of(const WideParts& v) {
    const bool minus_zero = v.finite && v.special();
    return (!v.finite && (v.nan || !v.negative)) * Specials::kPositive +
           (!v.finite && (v.nan || v.negative)) * Specials::kNegative +
           !minus_zero * Specials::kOther;
}

template <class T>
Range wide_range(const void* values, std::size_t n) {
    Range out;
    for (std::size_t i = 0; i < n; ++i) {
        const WideParts v = wide_parts<T>(static_cast<const char*>(values) + i * kBytes);
        out.special |= v.special();
        if (!v.finite || v.zero()) continue;
        out.low = std::min(out.low, v.lowest);
        out.end = std::max(out.end, v.lowest + Binary<T>::kDigits);
    }
    return out;
}

template <class T>
bool wide_encode(const void* values, std::size_t n, const Format& f, std::int64_t* words) {
    const int room = f.digits * f.digit - f.spare - Binary<T>::kDigits;
    bool fits = true;
    for (std::size_t i = 0; i < n; ++i) {
        const WordsOf<std::int64_t> to(words, i, n, f);
        for (std::size_t k = 0; k < static_cast<std::size_t>(f.words()); ++k) to[k] = 0;
        const WideParts v = wide_parts<T>(static_cast<const char*>(values) + i * kBytes);
        if (f.special) to[static_cast<std::size_t>(f.digits)] = counts_of(v);
        fits &= f.special || !v.special();
        if (!v.finite || v.zero()) continue;
        const int place = v.lowest - f.low;
        if (place < 0 || place > room) {
            fits = false;
            continue;
        }
        add_bits(static_cast<std::uint64_t>(v.magnitude), place, v.negative, f, to);
        add_bits(static_cast<std::uint64_t>(v.magnitude >> 64), place + 64, v.negative, f, to);
    }
    return fits;
}

/// A sum as sign and whole number: its highest 128 bits or fewer, the exponent of the lowest of
/// these, and whether there is more below them.
class WideTop {
public:
    WideTop(const WordsOf<const std::int64_t>& words, const Format& f) {
        const auto last = static_cast<std::size_t>(f.digits - 1);
        const std::uint64_t mask = (std::uint64_t{1} << f.digit) - 1;
        std::int64_t carry = 0;
        for (std::size_t k = 0; k <= last; ++k) {
            carry += words[k];
            if (k == last) break;
            digits_[k] = static_cast<std::uint64_t>(carry) & mask;
            carry >>= f.digit;
        }
        negative = carry < 0;
        std::uint64_t up = negative;
        for (std::size_t k = 0; negative && k < last; ++k) {
            up += ~digits_[k] & mask;
            digits_[k] = up & mask;
            up >>= f.digit;
        }
        bits =
            negative ? ~static_cast<std::uint64_t>(carry) + up : static_cast<std::uint64_t>(carry);
        lowest = f.low + static_cast<int>(last) * f.digit;
        for (std::size_t k = last; k-- > 0;) append(digits_[k], f.digit);
    }
    bool negative, more = false;
    Wide bits;
    int lowest;

private:
    /// Takes bits of the digit below, as many as there is room for.
    void append(std::uint64_t digit, int digit_bits) {
        const int taken = std::min(128 - width_of(bits), digit_bits), left = digit_bits - taken;
        bits = bits << taken | digit >> left;
        more |= (digit & ((std::uint64_t{1} << left) - 1)) != 0;
        lowest -= taken;
    }
    std::array<std::uint64_t, kMostWideDigits> digits_;
};

/// Rounded to nearest, ties to even. No sum has bits below the format's least one.
template <class T>
void put_rounded(const WideTop& sum, char* to) {
    if (sum.bits == 0) return put_number<T>(false, 0, Binary<T>::kLowest, to);
    const int cut = width_of(sum.bits) - Binary<T>::kDigits;
    if (cut <= 0) {
        const int up = std::min(-cut, sum.lowest - Binary<T>::kLowest);
        return put_number<T>(sum.negative, sum.bits << up, sum.lowest - up, to);
    }
    const Wide half = Wide{1} << (cut - 1), whole = sum.bits >> cut;
    const bool tie = (sum.bits & (half - 1)) == 0 && !sum.more;
    const bool up = (sum.bits & half) && (!tie || (whole & 1));
    put_number<T>(sum.negative, whole + up, sum.lowest + cut, to);
}

template <class T>
void wide_round(const std::int64_t* words, std::size_t n, const Format& f, void* values) {
    for (std::size_t i = 0; i < n; ++i) {
        const WordsOf<const std::int64_t> from(words, i, n, f);
        char* const to = static_cast<char*>(values) + i * kBytes;
        const auto has = [&](std::int64_t what) {
            return f.special && Specials::has(from[static_cast<std::size_t>(f.digits)], what);
        };
        const bool plus = has(Specials::kPositive), minus = has(Specials::kNegative);
        if (plus && minus)
            put_nan<T>(to);
        else if (plus || minus)
            put_infinity<T>(minus, to);
        else if (f.special && !has(Specials::kOther))
            put_number<T>(true, 0, Binary<T>::kLowest, to);
        else
            put_rounded<T>(WideTop(from, f), to);
    }
}

}  // namespace

template <class T>
const Kernels& wide_kernels() {
    static constexpr Kernels of{wide_range<T>, wide_encode<T>, wide_round<T>};
    return of;
}

template const Kernels& wide_kernels<Extended>();
template const Kernels& wide_kernels<Quadruple>();

}  // namespace hopbine::sums
