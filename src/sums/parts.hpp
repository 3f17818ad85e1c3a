/// Floating-point values taken apart.
#pragma once
#include "sums/binary.hpp"
#include "sums/format.hpp"
#include "sums/lanes.hpp"

namespace hopbine::sums {

/// Values of type T as sign, whole number and exponent: (-1)^negative * magnitude * 2^lowest. What
/// is true or false has all bits, or none.
template <class T, class Lanes>
struct PartsOf {
    using B = Binary<T>;
    using Word = typename Lanes::Word;
    using Whole = typename Lanes::Whole;
    Word negative;
    Word infinite;  ///< or NaN
    Word zero, magnitude;
    Whole lowest;

    HOPBINE_INLINE explicit PartsOf(const T* values) {
        const Word bits = Lanes::template load<typename B::Bits>(values);
        const Word exponent = (bits & (B::kSign - 1)) >> (B::kDigits - 1);
        const Word subnormal = Lanes::mask(exponent == 0);
        negative = Word{} - (bits >> (8 * sizeof(T) - 1));
        infinite = Lanes::mask(exponent == B::kExponents + 1);
        magnitude = (bits & (B::kHidden - 1)) | (~subnormal & B::kHidden);
        zero = Lanes::mask(magnitude == 0);
        lowest = Lanes::whole(exponent + (subnormal & 1)) + (B::kLowest - 1);
    }
    HOPBINE_INLINE Word nan() const { return infinite & Lanes::mask(magnitude != B::kHidden); }
    HOPBINE_INLINE Word special() const { return infinite | (negative & zero); }
    /// What they add to the word that counts specials: NaN counts as both infinities.
    HOPBINE_INLINE Word counts() const {
        return (infinite & (nan() | ~negative) & Specials::kPositive) +
               (infinite & (nan() | negative) & Specials::kNegative) +
               (~(negative & zero) & Specials::kOther);
    }
};

}  // namespace hopbine::sums
