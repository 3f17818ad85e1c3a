#include "mpi/execute/kernels.hpp"

#include <cstdint>

namespace hopbine::mpi {

// Compiles for several vector units: the machine that runs selects the widest, not the one that
// built.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define HOPBINE_CLONES __attribute__((target_clones("default", "avx2", "avx512f"), optimize("O3")))
#else
#define HOPBINE_CLONES
#endif

#define HOPBINE_KERNEL(name, T, expression)                                    \
    HOPBINE_CLONES void name(const void* from, void* to, std::size_t n) {      \
        const T* __restrict a = static_cast<const T*>(from);                   \
        T* __restrict b = static_cast<T*>(to);                                 \
        for (std::size_t i = 0; i < n; ++i) b[i] = static_cast<T>(expression); \
    }
// Integers wrap in unsigned arithmetic, without undefined behaviour. MPI libraries' loops wrap in
// practice.
#define HOPBINE_ARITHMETIC(suffix, T, U)                                             \
    HOPBINE_KERNEL(sum_##suffix, T, static_cast<U>(a[i]) + static_cast<U>(b[i]))     \
    HOPBINE_KERNEL(product_##suffix, T, static_cast<U>(a[i]) * static_cast<U>(b[i])) \
    HOPBINE_KERNEL(minimum_##suffix, T, a[i] < b[i] ? a[i] : b[i])                   \
    HOPBINE_KERNEL(maximum_##suffix, T, a[i] > b[i] ? a[i] : b[i])
#define HOPBINE_WHOLE(suffix, T, U)                         \
    HOPBINE_ARITHMETIC(suffix, T, U)                        \
    HOPBINE_KERNEL(logical_and_##suffix, T, a[i] && b[i])   \
    HOPBINE_KERNEL(logical_or_##suffix, T, a[i] || b[i])    \
    HOPBINE_KERNEL(logical_xor_##suffix, T, !a[i] != !b[i]) \
    HOPBINE_KERNEL(bit_and_##suffix, T, a[i] & b[i])        \
    HOPBINE_KERNEL(bit_or_##suffix, T, a[i] | b[i])         \
    HOPBINE_KERNEL(bit_xor_##suffix, T, a[i] ^ b[i])

namespace {
// 8- and 16-bit products are computed in 32 bits unsigned: promotion to int would overflow for 16
// bits.
HOPBINE_WHOLE(i8, std::int8_t, std::uint32_t)
HOPBINE_WHOLE(i16, std::int16_t, std::uint32_t)
HOPBINE_WHOLE(i32, std::int32_t, std::uint32_t)
HOPBINE_WHOLE(i64, std::int64_t, std::uint64_t)
HOPBINE_WHOLE(u8, std::uint8_t, std::uint32_t)
HOPBINE_WHOLE(u16, std::uint16_t, std::uint32_t)
HOPBINE_WHOLE(u32, std::uint32_t, std::uint32_t)
HOPBINE_WHOLE(u64, std::uint64_t, std::uint64_t)
HOPBINE_ARITHMETIC(f32, float, float)
HOPBINE_ARITHMETIC(f64, double, double)
}  // namespace

#define HOPBINE_FLOATS(op) op##_f32, op##_f64
#define HOPBINE_INTEGERS(op) \
    op##_i8, op##_i16, op##_i32, op##_i64, op##_u8, op##_u16, op##_u32, op##_u64

Kernel kernel(Operation op, Element e) {
    static constexpr int kElements = 10;
    static const Kernel table[][kElements] = {
        {HOPBINE_INTEGERS(sum), HOPBINE_FLOATS(sum)},
        {HOPBINE_INTEGERS(product), HOPBINE_FLOATS(product)},
        {HOPBINE_INTEGERS(minimum), HOPBINE_FLOATS(minimum)},
        {HOPBINE_INTEGERS(maximum), HOPBINE_FLOATS(maximum)},
        {HOPBINE_INTEGERS(logical_and)},
        {HOPBINE_INTEGERS(logical_or)},
        {HOPBINE_INTEGERS(logical_xor)},
        {HOPBINE_INTEGERS(bit_and)},
        {HOPBINE_INTEGERS(bit_or)},
        {HOPBINE_INTEGERS(bit_xor)},
    };
    return table[static_cast<int>(op)][static_cast<int>(e)];
}

}  // namespace hopbine::mpi
