#include "sums/arithmetic.hpp"

#include <limits>

#include "sums/binary.hpp"
#include "sums/wide.hpp"

namespace hopbine::sums {

namespace {

template <class T, std::size_t kKind>
const Arithmetic& arithmetic(const Kernels& kernels, std::size_t bytes) {
    static const Arithmetic of{kernels, bytes, kKind, full_format<T>, format_for<T>};
    return of;
}

}  // namespace

const Arithmetic* arithmetic_of(std::size_t bytes) {
    switch (bytes) {
    case 4: return &arithmetic<float, 0>(kernels<float>(), bytes);
    case 8: return &arithmetic<double, 1>(kernels<double>(), bytes);
    case 16: return &arithmetic<Quadruple, 3>(wide_kernels<Quadruple>(), bytes);
    default: return nullptr;
    }
}

const Arithmetic* arithmetic_of_long_double() {
    using Limits = std::numeric_limits<long double>;
    constexpr std::size_t kBytes = sizeof(long double);
    if (Limits::digits == Binary<Extended>::kDigits && kBytes == 16)
        return &arithmetic<Extended, 2>(wide_kernels<Extended>(), kBytes);
    const bool ieee =
        Limits::digits == Binary<double>::kDigits || Limits::digits == Binary<Quadruple>::kDigits;
    return ieee ? arithmetic_of(kBytes) : nullptr;
}

}  // namespace hopbine::sums
