/// Values as words, without a branch: code for one value, or for some in vector registers.
#pragma once
#include <algorithm>
#include <array>

#include "sums/format.hpp"
#include "sums/parts.hpp"

namespace hopbine::sums {

/// Writes the digits of magnitudes times 2^shift. kDigits: f.digits where that is known to the
/// compiler, or 0.
template <class Lanes, int kDigits>
HOPBINE_INLINE void write_digits(typename Lanes::Word magnitude, typename Lanes::Whole shift,
                                 typename Lanes::Word negative, const Format& f,
                                 std::int64_t* words, std::size_t apart) {
    using Word = typename Lanes::Word;
    using Whole = typename Lanes::Whole;
    const Whole none{}, all = none + 63;
    const std::uint64_t mask = (std::uint64_t{1} << f.digit) - 1;
    const int digits = kDigits ? kDigits : f.digits;
    int begin = 0, end = digits;
    if constexpr (Lanes::kLanes == 1 && !kDigits) {  // of one number, most digits are zero
        begin = static_cast<int>(shift) / f.digit;
        end = std::min(digits, begin + 64 / f.digit + 2);
        for (int k = 0; k < digits; ++k) words[static_cast<std::size_t>(k) * apart] = 0;
    }
    for (int k = begin; k < end; ++k) {
        // The bit of the magnitude that the digit begins with. Bits that are shifted by 63 are none
        // of a digit. In the first two digits a number inside the window is not shifted down by
        // more, in the last one not up.
        const Whole at = std::int64_t{k} * f.digit - shift;
        Whole down = most(at, none), up = k ? most(-at, none) : shift;
        if (k > 1) down = least(down, all);
        if (!k || k + 1 < digits) up = least(up, all);
        const Word lower = k ? magnitude >> Lanes::word(down) : magnitude,
                   digit = lower << Lanes::word(up) & mask;
        Lanes::template store<std::uint64_t>((digit ^ negative) - negative,
                                             words + static_cast<std::size_t>(k) * apart);
    }
}

/// Writes the words of as many values as there are lanes: word k of value i at [k * apart + i].
/// Adds to `unfit` what does not fit.
template <class T, class Lanes, int kDigits>
HOPBINE_INLINE void encode_lanes(const T* values, const Format& f, std::int64_t* words,
                                 std::size_t apart, typename Lanes::Word* unfit) {
    using Word = typename Lanes::Word;
    using Whole = typename Lanes::Whole;
    const int digits = kDigits ? kDigits : f.digits;
    const PartsOf<T, Lanes> v(values);
    const Whole place = v.lowest - f.low;
    const Word outside = Lanes::mask(place < 0) |
                         Lanes::mask(place > digits * f.digit - f.spare - Binary<T>::kDigits);
    *unfit |= (outside & ~v.zero & ~v.infinite) | (f.special ? Word{} : v.special());
    const Word magnitude = v.magnitude & ~v.infinite;
    write_digits<Lanes, kDigits>(magnitude, Lanes::whole(Lanes::word(place) & ~outside), v.negative,
                                 f, words, apart);
    if (f.special)
        Lanes::template store<std::uint64_t>(v.counts(),
                                             words + static_cast<std::size_t>(digits) * apart);
}

/// Whether no subnormal number, infinity, NaN nor -0 fits into the window.
template <class T>
bool has_normal_only(const Format& f) {
    return !f.special && f.low > Binary<T>::kLowest && f.end() <= Binary<T>::kEnd;
}

/// encode_lanes() for such a window: fewer steps, as whatever is not normal has an exponent
/// outside.
template <class T, class Lanes, int kDigits>
HOPBINE_INLINE void encode_normal_lanes(const T* values, const Format& f, std::int64_t* words,
                                        std::size_t apart, typename Lanes::Word* unfit) {
    using B = Binary<T>;
    using Word = typename Lanes::Word;
    using Whole = typename Lanes::Whole;
    const Word bits = Lanes::template load<typename B::Bits>(values);
    const Word negative = Word{} - (bits >> (8 * sizeof(T) - 1));
    const Whole place =
        Lanes::whole((bits & (B::kSign - 1)) >> (B::kDigits - 1)) - (f.low - (B::kLowest - 1));
    const Word outside =
        Lanes::mask(place < 0) | Lanes::mask(place > kDigits * f.digit - f.spare - B::kDigits);
    *unfit |= outside & Lanes::mask(bits != 0);
    const Word magnitude = ((bits & (B::kHidden - 1)) | B::kHidden) & ~outside;
    write_digits<Lanes, kDigits>(magnitude, Lanes::whole(Lanes::word(place) & ~outside), negative,
                                 f, words, apart);
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
