/// Whole numbers of 64 bits, one or up to eight at a time: code on them is written once, and runs
/// on scalars or in vector registers, with no branches.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hopbine::sums {

/// Functions that are compiled into each caller, for the caller's processor.
#define HOPBINE_INLINE [[gnu::always_inline]] inline
#define HOPBINE_INLINE_LAMBDA __attribute__((always_inline))

/// One number.
struct One {
    static constexpr std::size_t kLanes = 1;
    static constexpr bool kRoundsDoubles = false;
    using Word = std::uint64_t;
    using Whole = std::int64_t;

    /// All bits where a comparison holds.
    HOPBINE_INLINE static Word mask(bool holds) { return -Word{holds}; }
    /// Bits read with a sign, or without.
    HOPBINE_INLINE static Whole whole(Word v) { return static_cast<Whole>(v); }
    HOPBINE_INLINE static Word word(Whole v) { return static_cast<Word>(v); }
    HOPBINE_INLINE static bool any(Word v) { return v != 0; }
    template <class Bits>
    HOPBINE_INLINE static Word load(const void* values) {
        Bits bits;
        std::memcpy(&bits, values, sizeof bits);
        return bits;
    }
    template <class Bits>
    HOPBINE_INLINE static void store(Word bits, void* values) {
        const auto narrow = static_cast<Bits>(bits);
        std::memcpy(values, &narrow, sizeof narrow);
    }
    /// Bits that each number takes: 0 of 0.
    HOPBINE_INLINE static Word width(Word v) { return static_cast<Word>(std::bit_width(v)); }
    /// width() of numbers that are not 0, for which it takes fewer steps.
    HOPBINE_INLINE static Word width_of_nonzero(Word v) { return width(v); }
};

/// What a vector register of so many bytes holds.
template <std::size_t kBytes>
struct OfBytes {
    static constexpr std::size_t kLanes = kBytes / 8;
    using Word [[gnu::vector_size(kBytes)]] = std::uint64_t;
    using Whole [[gnu::vector_size(kBytes)]] = std::int64_t;
    using Real [[gnu::vector_size(kBytes)]] = double;
    using Half [[gnu::vector_size(kBytes / 2)]] = std::uint32_t;
};
using Quad = OfBytes<16>;
using Ymm = OfBytes<32>;
using Zmm = OfBytes<64>;

/// The numbers in a vector register.
template <class Register>
struct Several : Register {
    using typename Register::Half;
    using typename Register::Real;
    using typename Register::Whole;
    using typename Register::Word;
    static constexpr bool kRoundsDoubles = false;
    HOPBINE_INLINE static Word mask(Whole holds) { return reinterpret_cast<Word>(holds); }
    HOPBINE_INLINE static Whole whole(Word v) { return reinterpret_cast<Whole>(v); }
    HOPBINE_INLINE static Word word(Whole v) { return reinterpret_cast<Word>(v); }
    HOPBINE_INLINE static bool any(Word v) {
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < Register::kLanes; ++i) all |= v[i];
        return all != 0;
    }
    template <class Bits>
    HOPBINE_INLINE static Word load(const void* values) {
        if constexpr (sizeof(Bits) == 8)
            return copied<Word>(values);
        else
            return __builtin_convertvector(copied<Half>(values), Word);
    }
    template <class Bits>
    HOPBINE_INLINE static void store(Word bits, void* values) {
        if constexpr (sizeof(Bits) == 8) {
            std::memcpy(values, &bits, sizeof bits);
        } else {
            const Half narrow = __builtin_convertvector(bits, Half);
            std::memcpy(values, &narrow, sizeof narrow);
        }
    }
    /// From the exponent of the number as a double. The bit below the highest one is cleared, so
    /// that no rounding, of whatever mode, raises the exponent.
    HOPBINE_INLINE static Word width_of_nonzero(Word v) {
        constexpr auto kHigh = std::bit_cast<std::uint64_t>(0x1p84),
                       kLow = std::bit_cast<std::uint64_t>(0x1p52);
        const Word clear = v & ~(v >> 1);
        const Real high = reinterpret_cast<Real>(clear >> 32 | kHigh) - (0x1p84 + 0x1p52),
                   low = reinterpret_cast<Real>((clear & 0xffffffffu) | kLow);
        return (reinterpret_cast<Word>(high + low) >> 52) - 1022;
    }
    HOPBINE_INLINE static Word width(Word v) { return width_of_nonzero(v) & mask(v != 0); }

private:
    template <class Vector>
    HOPBINE_INLINE static Vector copied(const void* values) {
        Vector out;
        std::memcpy(&out, values, sizeof out);
        return out;
    }
};

#if defined(__x86_64__) && defined(__GNUC__)
#define HOPBINE_AVX512 "avx512f,avx512cd,avx512dq"
/// AVX-512 takes one step to count bits, and one to round whole numbers to doubles. In assembly:
/// the compiler's functions for these cannot be inlined into one for any processor.
template <class Register>
struct SeveralByAvx512 : Several<Register> {
    using typename Register::Whole;
    using typename Register::Word;
    static constexpr bool kRoundsDoubles = true;
    HOPBINE_INLINE static Word width(Word v) {
        Word zeros;
        asm("vplzcntq %1, %0" : "=v"(zeros) : "v"(v));
        return 64 - zeros;
    }
    HOPBINE_INLINE static Word width_of_nonzero(Word v) { return width(v); }
    /// The bits of the nearest doubles, ties to even, whatever the processor's mode.
    HOPBINE_INLINE static Word nearest_double(Whole v) {
        Word out;
        asm("vcvtqq2pd %{rn-sae%}, %1, %0" : "=v"(out) : "v"(v));
        return out;
    }
};
using Avx512 = SeveralByAvx512<Zmm>;
#endif

/// The lesser and the greater one, of numbers with a sign.
template <class Whole>
HOPBINE_INLINE Whole least(Whole a, Whole b) {
    return a < b ? a : b;
}
template <class Whole>
HOPBINE_INLINE Whole most(Whole a, Whole b) {
    return a < b ? b : a;
}

}  // namespace hopbine::sums
