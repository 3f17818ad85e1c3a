#include "sums/accumulator.hpp"

#include "sums/parts.hpp"

namespace hopbine::sums {

namespace {
using Value = PartsOf<double, One>;
}  // namespace

Format Accumulator::format_of_values(int ranks) {
    return wide_format(Binary<double>::kLowest, Binary<double>::kEnd + kGrowth, ranks);
}
Format Accumulator::format_of_products(int ranks) { return wide_format(kLow, kEnd, ranks); }

void Accumulator::add(double value) {
    const Value v(&value);
    note(v.negative, !v.infinite, v.nan(), v.zero);
    if (!v.infinite) add_bits(v.magnitude, static_cast<int>(v.lowest), v.negative);
}

void Accumulator::add_product(double x, double y) {
    const Value a(&x), b(&y);
    const bool negative = a.negative != b.negative, finite = !a.infinite && !b.infinite,
               zero = a.zero || b.zero;
    note(negative, finite, a.nan() || b.nan() || (!finite && zero), zero);
    if (!finite) return;
    const Wide product = Wide{a.magnitude} * b.magnitude;
    const int lowest = static_cast<int>(a.lowest + b.lowest);
    add_bits(static_cast<std::uint64_t>(product), lowest, negative);
    add_bits(static_cast<std::uint64_t>(product >> 64), lowest + 64, negative);
}

void Accumulator::note(bool negative, bool finite, bool nan, bool zero) {
    any_ = true;
    positive_ |= nan || (!finite && !negative);
    negative_ |= nan || (!finite && negative);
    other_ |= !(finite && zero && negative);
}

void Accumulator::add_bits(std::uint64_t magnitude, int lowest, bool negative) {
    if (magnitude == 0) return;
    const auto at = static_cast<std::size_t>(lowest - kLow);
    const Wide shifted = Wide{magnitude} << at % kDigit;
    std::int64_t* const to = &digits_[at / kDigit];
    for (int k = 0; k < 3; ++k) {
        const auto digit =
            static_cast<std::int64_t>(static_cast<std::uint32_t>(shifted >> k * kDigit));
        to[k] += negative ? -digit : digit;
    }
    if (++pending_ == kMostPending) carry();
}

/// Leaves digits of 32 bits without a sign, but for the last one.
void Accumulator::carry() {
    std::int64_t up = 0;
    for (std::size_t k = 0; k + 1 < kDigits; ++k) {
        const std::int64_t digit = digits_[k] + up;
        digits_[k] = static_cast<std::uint32_t>(digit);
        up = digit >> kDigit;
    }
    digits_.back() += up;
    pending_ = 0;
}

void Accumulator::write(const Format& f, std::int64_t* words) {
    carry();
    const bool minus = digits_.back() < 0;
    if (minus) {
        for (std::int64_t& digit : digits_) digit = -digit;
        carry();
    }
    const Wide mask = (Wide{1} << f.digit) - 1;
    for (int k = 0; k < f.digits; ++k) {
        const auto at = static_cast<std::size_t>(f.low - kLow + k * f.digit), first = at / kDigit;
        Wide bits = 0;
        for (std::size_t i = 3; i-- > 0;)
            bits = bits << kDigit |
                   (first + i < kDigits ? static_cast<std::uint64_t>(digits_[first + i]) : 0);
        const auto digit = static_cast<std::int64_t>(bits >> at % kDigit & mask);
        words[k] = minus ? -digit : digit;
    }
    words[f.digits] = positive_ * Specials::kPositive + negative_ * Specials::kNegative +
                      other_ * Specials::kOther;
    if (minus) {
        for (std::int64_t& digit : digits_) digit = -digit;
        carry();
    }
}

}  // namespace hopbine::sums
