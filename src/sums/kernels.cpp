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

/// Calls work.template operator()<kDigits>() with f.digits where there are few, else with 0.
template <class Work>
HOPBINE_INLINE auto by_digits(const Format& f, const Work& work) {
    switch (f.digits) {
    case 1: return work.template operator()<1>();
    case 2: return work.template operator()<2>();
    case 3: return work.template operator()<3>();
    default: return work.template operator()<0>();
    }
}

/// Whole blocks. kNormal: the window has normal numbers only.
template <class T, class Lanes, int kDigits, bool kNormal>
HOPBINE_INLINE bool encode_blocks(const T* values, std::size_t n, const Format& f,
                                  std::int64_t* words) {
    const auto each = static_cast<std::size_t>(f.words());
    typename Lanes::Word unfit{};
    for (std::size_t i = 0; i < n; i += kBlock)
        for (std::size_t k = 0; k < kBlock; k += Lanes::kLanes) {
            const T* const from = values + i + k;
            std::int64_t* const to = words + i * each + k;
            if constexpr (kNormal)
                encode_normal_lanes<T, Lanes, kDigits>(from, f, to, kBlock, &unfit);
            else
                encode_lanes<T, Lanes, kDigits>(from, f, to, kBlock, &unfit);
        }
    return !Lanes::any(unfit);
}

/// Fewer values than a block has.
template <class T>
bool encode_few(const T* values, std::size_t n, const Format& f, std::int64_t* words) {
    const Format format = f;  // of which the words are no alias
    return by_digits(format, [&]<int kDigits>() HOPBINE_INLINE_LAMBDA {
        One::Word unfit = 0;
        for (std::size_t i = 0; i < n; ++i)
            encode_lanes<T, One, kDigits>(values + i, format,
                                          words + i * static_cast<std::size_t>(format.words()), 1,
                                          &unfit);
        return !unfit;
    });
}

template <class T, class Lanes>
HOPBINE_INLINE bool encode_in(const void* from, std::size_t n, const Format& f,
                              std::int64_t* words) {
    const T* const values = static_cast<const T*>(from);
    if (n < kBlock) return encode_few(values, n, f, words);
    const Format format = f;
    const std::size_t whole = n / kBlock * kBlock;
    const bool fits = by_digits(format, [&]<int kDigits>() HOPBINE_INLINE_LAMBDA {
        if constexpr (kDigits > 0)
            if (has_normal_only<T>(format))
                return encode_blocks<T, Lanes, kDigits, true>(values, whole, format, words);
        return encode_blocks<T, Lanes, kDigits, false>(values, whole, format, words);
    });
    if (whole == n) return fits;
    return encode_few(values + whole, n - whole, format,
                      words + whole * static_cast<std::size_t>(format.words())) &&
           fits;
}

/// Whole blocks. kPlain: the format is plain.
template <class T, class Lanes, int kDigits, bool kPlain>
HOPBINE_INLINE void round_blocks(const std::int64_t* words, std::size_t n, const Format& f,
                                 T* values) {
    const auto each = static_cast<std::size_t>(f.words());
    for (std::size_t i = 0; i < n; i += kBlock)
        for (std::size_t k = 0; k < kBlock; k += Lanes::kLanes)
            round_lanes<T, Lanes, kDigits, kPlain>(words + i * each + k, kBlock, f, values + i + k);
}

/// Calls work.template operator()<kDigits, kPlain>().
template <class T, class Work>
HOPBINE_INLINE void by_digits_if_plain(const Format& f, const Work& work) {
    by_digits(f, [&]<int kDigits>() HOPBINE_INLINE_LAMBDA {
        if constexpr (kDigits > 0)
            if (is_plain<T>(f)) return work.template operator()<kDigits, true>();
        work.template operator()<kDigits, false>();
    });
}

/// Fewer sums than a block has.
template <class T>
void round_few(const std::int64_t* words, std::size_t n, const Format& f, T* values) {
    const Format format = f;  // of which the values are no alias
    by_digits_if_plain<T>(format, [&]<int kDigits, bool kPlain>() HOPBINE_INLINE_LAMBDA {
        for (std::size_t i = 0; i < n; ++i)
            round_lanes<T, One, kDigits, kPlain>(
                words + i * static_cast<std::size_t>(format.words()), 1, format, values + i);
    });
}

template <class T, class Lanes>
HOPBINE_INLINE void round_in(const std::int64_t* words, std::size_t n, const Format& f, void* to) {
    T* const values = static_cast<T*>(to);
    if (n < kBlock) return round_few(words, n, f, values);
    const Format format = f;
    const std::size_t whole = n / kBlock * kBlock;
    by_digits_if_plain<T>(format, [&]<int kDigits, bool kPlain>() HOPBINE_INLINE_LAMBDA {
        round_blocks<T, Lanes, kDigits, kPlain>(words, whole, format, values);
    });
    if (whole < n)
        round_few(words + whole * static_cast<std::size_t>(format.words()), n - whole, format,
                  values + whole);
}

#define HOPBINE_SUMS_KERNELS(target, Lanes)                                                       \
    template <class T>                                                                            \
    target Range range(const void* values, std::size_t n) {                                       \
        return range_in<T, Lanes>(static_cast<const T*>(values), n);                              \
    }                                                                                             \
    template <class T>                                                                            \
    target bool encode(const void* values, std::size_t n, const Format& f, std::int64_t* words) { \
        return encode_in<T, Lanes>(values, n, f, words);                                          \
    }                                                                                             \
    template <class T>                                                                            \
    target void round(const std::int64_t* words, std::size_t n, const Format& f, void* values) {  \
        round_in<T, Lanes>(words, n, f, values);                                                  \
    }                                                                                             \
    template <class T>                                                                            \
    constexpr Kernels kKernels{range<T>, encode<T>, round<T>};

namespace any_processor {
#if defined(__aarch64__) && defined(__GNUC__)
HOPBINE_SUMS_KERNELS(, Several<Quad>)
#else
HOPBINE_SUMS_KERNELS(, One)
#endif
}  // namespace any_processor
#if defined(__x86_64__) && defined(__GNUC__)
namespace avx2 {
HOPBINE_SUMS_KERNELS([[gnu::target("avx2")]], Several<Ymm>)
}
namespace avx512 {
HOPBINE_SUMS_KERNELS([[gnu::target(HOPBINE_AVX512)]], Avx512)
}
#endif

}  // namespace

template <class T>
const Kernels& kernels_for([[maybe_unused]] VectorUnits units) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (units == VectorUnits::avx512) return avx512::kKernels<T>;
    if (units == VectorUnits::avx2) return avx2::kKernels<T>;
#endif
    return any_processor::kKernels<T>;
}

template <class T>
const Kernels& kernels() {
    static const Kernels& widest = kernels_for<T>(vector_units());
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
    template const Kernels& kernels_for<T>(VectorUnits);                       \
    template const Kernels& kernels<T>();                                      \
    template Range range_of(const T*, std::size_t);                            \
    template bool encode(const T*, std::size_t, const Format&, std::int64_t*); \
    template void round_sums(const std::int64_t*, std::size_t, const Format&, T*);
HOPBINE_SUMS_OF(float)
HOPBINE_SUMS_OF(double)

}  // namespace hopbine::sums
