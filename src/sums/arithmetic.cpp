#include "sums/arithmetic.hpp"

namespace hopbine::sums {

template <class T>
static const Arithmetic& arithmetic() {
    static const Arithmetic of{kernels<T>(), sizeof(T), full_format<T>, format_for<T>};
    return of;
}

const Arithmetic* arithmetic_of(std::size_t bytes) {
    return bytes == sizeof(float)    ? &arithmetic<float>()
           : bytes == sizeof(double) ? &arithmetic<double>()
                                     : nullptr;
}

}  // namespace hopbine::sums
