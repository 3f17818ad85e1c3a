/// Values as words, without a branch: code for one value, or for some in vector registers.
#pragma once
#include <algorithm>
#include <array>

#include "sums/format.hpp"
#include "sums/parts.hpp"

namespace hopbine::sums {

/// Writes the words of as many values as there are lanes: word k of value i at [k * apart + i].
/// Adds to `unfit` what does not fit. kDigits: f.digits where that is known to the compiler, or 0.
template <class T, class Lanes, int kDigits>
HOPBINE_INLINE void encode_lanes(const T* values, const Format& f, std::int64_t* words,
                                 std::size_t apart, typename Lanes::Word* unfit) {
    using Word = typename Lanes::Word;
    using Whole = typename Lanes::Whole;
    const int digits = kDigits ? kDigits : f.digits;
    const PartsOf<T, Lanes> v(values);
    const Whole place = v.lowest - f.low;
    const Word outside =
        Lanes::mask(place < 0) | Lanes::mask(place > digits * f.digit - Binary<T>::kDigits);
    *unfit |= (outside & ~v.zero & ~v.infinite) | (f.special ? Word{} : v.special());
    const Word magnitude = v.magnitude & ~v.infinite;
    const Whole shift = Lanes::whole(Lanes::word(place) & ~outside), none{}, all = none + 63;
    const std::uint64_t mask = (std::uint64_t{1} << f.digit) - 1;
    int begin = 0, end = digits;
    if constexpr (Lanes::kLanes == 1 && !kDigits) {  // of one number, most digits are zero
        begin = static_cast<int>(shift) / f.digit;
        end = std::min(digits, begin + Binary<T>::kDigits / f.digit + 2);
        for (int k = 0; k < digits; ++k) words[static_cast<std::size_t>(k) * apart] = 0;
    }
    for (int k = begin; k < end; ++k) {
        // The bit of the magnitude that the digit begins with. Bits that are shifted by 63 are none
        // of a digit.
        const Whole at = std::int64_t{k} * f.digit - shift;
        const Word down = Lanes::word(k == 0 ? none : least(most(at, none), all)),
                   up = Lanes::word(k == 0 ? least(shift, all) : least(most(-at, none), all));
        const Word digit = magnitude >> down << up & mask;
        Lanes::template store<std::uint64_t>((digit ^ v.negative) - v.negative,
                                             words + static_cast<std::size_t>(k) * apart);
    }
    if (f.special)
        Lanes::template store<std::uint64_t>(v.counts(),
                                             words + static_cast<std::size_t>(digits) * apart);
}

/// The least exponent and the greatest end of values, and whether there are specials.
template <class T, class Lanes>
struct RangeOf {
    using Whole = typename Lanes::Whole;
    Whole low = Whole{} + Range::kNone, end = Whole{} - Range::kNone;
    typename Lanes::Word special{};

    HOPBINE_INLINE void add(const T* values) {
        const PartsOf<T, Lanes> v(values);
        const Whole none = Lanes::whole((v.zero | v.infinite) & (2 * Range::kNone));
        low = least(low, v.lowest + none);
        end = most(end, v.lowest + Binary<T>::kDigits - none);
        special |= v.special();
    }
    HOPBINE_INLINE void add_to(Range* all) const {
        std::array<std::int64_t, Lanes::kLanes> lows, ends, specials;
        std::memcpy(lows.data(), &low, sizeof low);
        std::memcpy(ends.data(), &end, sizeof end);
        std::memcpy(specials.data(), &special, sizeof special);
        for (std::size_t i = 0; i < Lanes::kLanes; ++i) {
            all->low = std::min(all->low, static_cast<int>(lows[i]));
            all->end = std::max(all->end, static_cast<int>(ends[i]));
            all->special |= specials[i] != 0;
        }
    }
};

}  // namespace hopbine::sums
