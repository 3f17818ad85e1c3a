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
    return {low, std::max(1, (end - low + digit - 1) / digit), digit, true};
}

template <class T>
Format full_format(int addends) {
    return wide_format(Binary<T>::kLowest, Binary<T>::kEnd, addends);
}

/// The slack and what is left of the last word stand on both sides; no more below than the type
/// has.
template <class T>
Format format_for(const Range& range, int addends, int slack) {
    const int low = range.empty() ? 0 : range.low, end = range.empty() ? 1 : range.end;
    Format out = wide_format(low, end + slack, addends);
    out.special = range.special;
    out.low = std::max(Binary<T>::kLowest, low - (out.end() - end) / 2);
    return out;
}

template Format full_format<float>(int);
template Format full_format<double>(int);
template Format format_for<float>(const Range&, int, int);
template Format format_for<double>(const Range&, int, int);

}  // namespace hopbine::sums
