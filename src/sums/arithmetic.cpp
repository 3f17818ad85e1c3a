#include "sums/arithmetic.hpp"

#include "sums/encode.hpp"
#include "sums/round.hpp"

namespace hopbine::sums {

namespace {

template <class T>
constexpr Arithmetic kArithmetic{
    .bytes = sizeof(T),
    .full = full_format<T>,
    .window = format_for<T>,
    .range = [](const void* values,
                std::size_t n) { return range_of(static_cast<const T*>(values), n); },
    .encode =
        [](const void* values, std::size_t n, const Format& f, std::int64_t* words) {
            return encode(static_cast<const T*>(values), n, f, words);
        },
    .round = [](const std::int64_t* words, std::size_t n, const Format& f,
                void* values) { round_sums(words, n, f, static_cast<T*>(values)); },
};

}  // namespace

const Arithmetic* arithmetic_of(std::size_t bytes) {
    return bytes == sizeof(float)    ? &kArithmetic<float>
           : bytes == sizeof(double) ? &kArithmetic<double>
                                     : nullptr;
}

}  // namespace hopbine::sums
