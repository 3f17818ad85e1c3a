#include "sums/format.hpp"

#include <algorithm>
#include <bit>

#include "sums/binary.hpp"

namespace hopbine::sums {

/// At most 62, so that a digit and a carry are signed words.
int digit_bits(int addends) {
    return std::min(62, 63 - static_cast<int>(std::bit_width(static_cast<unsigned>(addends) - 1)));
}

Format wide_format(int low, int end, int addends) {
    const int digit = digit_bits(addends);
    return {low, std::max(1, (end - low + digit - 1) / digit), digit, true, 0};
}

template <class T>
Format full_format(int addends) {
    return wide_format(Binary<T>::kLowest, Binary<T>::kEnd, addends);
}

/// The slack and what is left of the last word stand on both sides; no more below than the type
/// has. A flag of each of 2^k addends, of digit - 1 bits, and sums of digits of digit - k - 2 bits
/// do not overflow.
template <class T>
Format format_for(const Range& range, int addends, int slack) {
    const int low = range.empty() ? 0 : range.low, end = range.empty() ? 1 : range.end,
              spare = 65 - digit_bits(addends);
    Format out = wide_format(low, end + slack + spare, addends);
    out.special = range.special;
    out.spare = spare;
    out.low = std::max(Binary<T>::kLowest, low - (out.end() - spare - end) / 2);
    return out;
}

#define HOPBINE_FORMATS_OF(T)            \
    template Format full_format<T>(int); \
    template Format format_for<T>(const Range&, int, int);
HOPBINE_FORMATS_OF(float)
HOPBINE_FORMATS_OF(double)
HOPBINE_FORMATS_OF(Extended)
HOPBINE_FORMATS_OF(Quadruple)

}  // namespace hopbine::sums
