/* What a reduction computes, for C, C++, CUDA and HIP: the CPU's loops and the device's kernels are
 * made of it. */
#pragma once
#include <stdint.h>

#include "halves.h"

/* X(operation, suffix, T, value): x is an element of `in`, y of `inout`, which gets the value.
 *
 * Integers wrap in U, unsigned, without undefined behaviour. MPI libraries' loops wrap in practice.
 * 8- and 16-bit products are computed in 32 bits unsigned: promotion to int would overflow for 16
 * bits. */
#define HOPBINE_ARITHMETIC(X, suffix, T, U) \
    X(sum, suffix, T, (U)x + (U)y)          \
    X(product, suffix, T, (U)x*(U)y)        \
    X(minimum, suffix, T, x < y ? x : y)    \
    X(maximum, suffix, T, x > y ? x : y)
#define HOPBINE_WHOLE(X, suffix, T, U)      \
    HOPBINE_ARITHMETIC(X, suffix, T, U)     \
    X(logical_and, suffix, T, (x) && (y))   \
    X(logical_or, suffix, T, (x) || (y))    \
    X(logical_xor, suffix, T, (!x) != (!y)) \
    X(bit_and, suffix, T, x& y)             \
    X(bit_or, suffix, T, x | y)             \
    X(bit_xor, suffix, T, x ^ y)
/* Half precision is computed in float and rounded once. The lesser and the greater are one of both,
 * with its bits. */
#define HOPBINE_HALF(X, suffix)                                                          \
    X(sum, suffix, uint16_t, narrow_##suffix(widen_##suffix(x) + widen_##suffix(y)))     \
    X(product, suffix, uint16_t, narrow_##suffix(widen_##suffix(x) * widen_##suffix(y))) \
    X(minimum, suffix, uint16_t, widen_##suffix(x) < widen_##suffix(y) ? x : y)          \
    X(maximum, suffix, uint16_t, widen_##suffix(x) > widen_##suffix(y) ? x : y)
#define HOPBINE_OF_i8(X) HOPBINE_WHOLE(X, i8, int8_t, uint32_t)
#define HOPBINE_OF_i16(X) HOPBINE_WHOLE(X, i16, int16_t, uint32_t)
#define HOPBINE_OF_i32(X) HOPBINE_WHOLE(X, i32, int32_t, uint32_t)
#define HOPBINE_OF_i64(X) HOPBINE_WHOLE(X, i64, int64_t, uint64_t)
#define HOPBINE_OF_u8(X) HOPBINE_WHOLE(X, u8, uint8_t, uint32_t)
#define HOPBINE_OF_u16(X) HOPBINE_WHOLE(X, u16, uint16_t, uint32_t)
#define HOPBINE_OF_u32(X) HOPBINE_WHOLE(X, u32, uint32_t, uint32_t)
#define HOPBINE_OF_u64(X) HOPBINE_WHOLE(X, u64, uint64_t, uint64_t)
#define HOPBINE_OF_f32(X) HOPBINE_ARITHMETIC(X, f32, float, float)
#define HOPBINE_OF_f64(X) HOPBINE_ARITHMETIC(X, f64, double, double)
#define HOPBINE_OF_f16(X) HOPBINE_HALF(X, f16)
#define HOPBINE_OF_bf16(X) HOPBINE_HALF(X, bf16)
/* All, or those of one element: what is compiled at run time is to take short. */
#ifdef HOPBINE_ELEMENT
#define HOPBINE_PASTED(a, b) a##b
#define HOPBINE_OF(element) HOPBINE_PASTED(HOPBINE_OF_, element)
#define HOPBINE_REDUCTIONS(X) HOPBINE_OF(HOPBINE_ELEMENT)(X)
#else
#define HOPBINE_REDUCTIONS(X)                                                                     \
    HOPBINE_OF_i8(X) HOPBINE_OF_i16(X) HOPBINE_OF_i32(X) HOPBINE_OF_i64(X) HOPBINE_OF_u8(X)       \
        HOPBINE_OF_u16(X) HOPBINE_OF_u32(X) HOPBINE_OF_u64(X) HOPBINE_OF_f32(X) HOPBINE_OF_f64(X) \
            HOPBINE_OF_f16(X) HOPBINE_OF_bf16(X)
#endif
