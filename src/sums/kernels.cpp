#include "sums/kernels.hpp"

#include "sums/encode.hpp"
#include "sums/encode_lanes.hpp"
#include "sums/round.hpp"
#include "sums/round_lanes.hpp"

namespace hopbine::sums {

namespace {

template <class T, class Lanes>
HOPBINE_INLINE Range range_in(const T* values, std::size_t n) {
    RangeOf<T, Lanes> several;
    RangeOf<T, One> rest;
    std::size_t i = 0;
    for (; i + Lanes::kLanes <= n; i += Lanes::kLanes) several.add(values + i);
    for (; i < n; ++i) rest.add(values + i);
    Range out;
    several.add_to(&out);
    rest.add_to(&out);
    return out;
}

template <class T, class Lanes, int kDigits>
HOPBINE_INLINE bool encode_as(const T* values, std::size_t n, const Format& f,
                              std::int64_t* words) {
    const Format format = f;  // of which the words are no alias
    const auto each = static_cast<std::size_t>(format.words());
    typename Lanes::Word unfit{};
    One::Word one_unfit = 0;
    std::size_t i = 0;
    for (; i + kBlock <= n; i += kBlock, words += kBlock * each)
        for (std::size_t k = 0; k < kBlock; k += Lanes::kLanes)
            encode_lanes<T, Lanes, kDigits>(values + i + k, format, words + k, kBlock, &unfit);
    for (; i < n; ++i, words += each)
        encode_lanes<T, One, kDigits>(values + i, format, words, 1, &one_unfit);
    return !(one_unfit | Lanes::any(unfit));
}

template <class T, class Lanes>
HOPBINE_INLINE bool encode_in(const T* values, std::size_t n, const Format& f,
                              std::int64_t* words) {
    switch (f.digits) {
    case 1: return encode_as<T, Lanes, 1>(values, n, f, words);
    case 2: return encode_as<T, Lanes, 2>(values, n, f, words);
    case 3: return encode_as<T, Lanes, 3>(values, n, f, words);
    default: return encode_as<T, Lanes, 0>(values, n, f, words);
    }
}

/// Numbers that are rounded before it is looked whether all results are right.
constexpr std::size_t kRounded = 16 * kBlock;

/// Whole blocks. False, which a plain format alone may give: some results are wrong.
template <class T, class Lanes, int kDigits, bool kPlain>
HOPBINE_INLINE bool round_blocks(const std::int64_t* words, std::size_t n, const Format& f,
                                 T* values) {
    const auto each = static_cast<std::size_t>(f.words());
    typename Lanes::Word unknown{};
    for (std::size_t i = 0; i < n; i += kBlock)
        for (std::size_t k = 0; k < kBlock; k += Lanes::kLanes)
            round_lanes<T, Lanes, kDigits, kPlain>(words + i * each + k, kBlock, f, values + i + k,
                                                   &unknown);
    return !kPlain || !Lanes::any(unknown);
}

template <class T, class Lanes, int kDigits>
HOPBINE_INLINE void round_as(const std::int64_t* words, std::size_t n, const Format& f, T* values) {
    const Format format = f;  // of which the values are no alias
    const auto each = static_cast<std::size_t>(format.words());
    const bool plain = kDigits && is_plain<T>(format);
    const std::size_t whole = n / kBlock * kBlock;
    for (std::size_t i = 0; i < whole; i += kRounded) {
        const std::size_t some = std::min(kRounded, whole - i);
        if constexpr (kDigits > 0)
            if (plain &&
                round_blocks<T, Lanes, kDigits, true>(words + i * each, some, format, values + i))
                continue;
        round_blocks<T, Lanes, kDigits, false>(words + i * each, some, format, values + i);
    }
    for (std::size_t i = whole; i < n; ++i) {
        One::Word unknown = 0;
        if constexpr (kDigits > 0)
            if (plain)
                round_lanes<T, One, kDigits, true>(words + i * each, 1, format, values + i,
                                                   &unknown);
        if (!plain || unknown)
            round_lanes<T, One, kDigits, false>(words + i * each, 1, format, values + i, &unknown);
    }
}

template <class T, class Lanes>
HOPBINE_INLINE void round_in(const std::int64_t* words, std::size_t n, const Format& f, T* values) {
    switch (f.digits) {
    case 1: return round_as<T, Lanes, 1>(words, n, f, values);
    case 2: return round_as<T, Lanes, 2>(words, n, f, values);
    case 3: return round_as<T, Lanes, 3>(words, n, f, values);
    default: return round_as<T, Lanes, 0>(words, n, f, values);
    }
}

#define HOPBINE_SUMS_KERNELS(target, Lanes)                                                    \
    template <class T>                                                                         \
    target Range range(const T* values, std::size_t n) {                                       \
        return range_in<T, Lanes>(values, n);                                                  \
    }                                                                                          \
    template <class T>                                                                         \
    target bool encode(const T* values, std::size_t n, const Format& f, std::int64_t* words) { \
        return encode_in<T, Lanes>(values, n, f, words);                                       \
    }                                                                                          \
    template <class T>                                                                         \
    target void round(const std::int64_t* words, std::size_t n, const Format& f, T* values) {  \
        round_in<T, Lanes>(words, n, f, values);                                               \
    }                                                                                          \
    template <class T>                                                                         \
    constexpr Kernels<T> kKernels{range<T>, encode<T>, round<T>};

namespace any_processor {
HOPBINE_SUMS_KERNELS(, One)
}
#if defined(__x86_64__) && defined(__GNUC__)
namespace avx2 {
HOPBINE_SUMS_KERNELS([[gnu::target("avx2")]], Several<Ymm>)
}
namespace avx512 {
HOPBINE_SUMS_KERNELS([[gnu::target("avx512f")]], Several<Zmm>)
}
#else
namespace avx2 = any_processor;
namespace avx512 = any_processor;
#endif

}  // namespace

template <class T>
const Kernels<T>& kernels_for(VectorUnits units) {
    return units == VectorUnits::avx512 ? avx512::kKernels<T>
           : units == VectorUnits::avx2 ? avx2::kKernels<T>
                                        : any_processor::kKernels<T>;
}

template <class T>
const Kernels<T>& kernels() {
    static const Kernels<T>& widest = kernels_for<T>(vector_units());
    return widest;
}

template <class T>
Range range_of(const T* values, std::size_t n) {
    return kernels<T>().range(values, n);
}

template <class T>
bool encode(const T* values, std::size_t n, const Format& f, std::int64_t* words) {
    return kernels<T>().encode(values, n, f, words);
}

template <class T>
void round_sums(const std::int64_t* words, std::size_t n, const Format& f, T* values) {
    kernels<T>().round(words, n, f, values);
}

#define HOPBINE_SUMS_OF(T)                                                     \
    template const Kernels<T>& kernels_for(VectorUnits);                       \
    template const Kernels<T>& kernels();                                      \
    template Range range_of(const T*, std::size_t);                            \
    template bool encode(const T*, std::size_t, const Format&, std::int64_t*); \
    template void round_sums(const std::int64_t*, std::size_t, const Format&, T*);
HOPBINE_SUMS_OF(float)
HOPBINE_SUMS_OF(double)

}  // namespace hopbine::sums
