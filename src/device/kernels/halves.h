/* Half precision for C, C++, CUDA and HIP: bf16 and fp16 as the bits of a uint16_t. Devices convert
 * by instructions of their own. The CPU does by integers, in loops that compilers vectorise for
 * every x86-64: none of its steps has a denormal float, so that programs which flush those keep
 * fp16's. */
#pragma once
#include <stdint.h>
#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

#ifndef HOPBINE_INLINE
#define HOPBINE_INLINE static inline
#endif

/* Each narrow_ rounds to the nearest, to even between two. A NaN stays one. */
#ifdef __CUDACC__
HOPBINE_INLINE float widen_f16(uint16_t h) { return __half2float(__ushort_as_half(h)); }
HOPBINE_INLINE uint16_t narrow_f16(float f) { return __half_as_ushort(__float2half_rn(f)); }
HOPBINE_INLINE float widen_bf16(uint16_t h) { return __bfloat162float(__ushort_as_bfloat16(h)); }
HOPBINE_INLINE uint16_t narrow_bf16(float f) {
    return __bfloat16_as_ushort(__float2bfloat16_rn(f));
}
#else

HOPBINE_INLINE float float_of(uint32_t bits) {
    float f;
    __builtin_memcpy(&f, &bits, sizeof f);
    return f;
}
HOPBINE_INLINE uint32_t bits_of(float f) {
    uint32_t bits;
    __builtin_memcpy(&bits, &f, sizeof bits);
    return bits;
}

HOPBINE_INLINE float widen_bf16(uint16_t h) { return float_of((uint32_t)h << 16); }
HOPBINE_INLINE uint16_t narrow_bf16(float f) {
    const uint32_t bits = bits_of(f), rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16,
                   quiet = bits >> 16 | 0x40;
    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? quiet : rounded);
}

#if defined(__HIPCC__) || defined(__HIPCC_RTC__)
HOPBINE_INLINE float widen_f16(uint16_t h) {
    _Float16 out;
    __builtin_memcpy(&out, &h, sizeof out);
    return (float)out;
}
HOPBINE_INLINE uint16_t narrow_f16(float f) {
    const _Float16 half = (_Float16)f;
    uint16_t out;
    __builtin_memcpy(&out, &half, sizeof out);
    return out;
}
#else

/* `yes` or `no` without a branch: compilers do not vectorise branches around float operations. */
HOPBINE_INLINE uint32_t pick(int condition, uint32_t yes, uint32_t no) {
    return no ^ ((no ^ yes) & (uint32_t)-condition);
}
/* A denormal one is 2^-24 times its bits: what these add to 0.5. */
HOPBINE_INLINE float widen_f16(uint16_t h) {
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff, half = 0x3f000000,
                   bias = 112u << 23, normal = (rest << 13) + bias,
                   denormal = bits_of(float_of(half | rest) - 0.5F),
                   special = normal + bias, /* infinite, or a NaN */
        finite = pick(rest < 0x0400, denormal, normal);
    return float_of(sign | pick(rest < 0x7c00, finite, special));
}
HOPBINE_INLINE uint16_t narrow_f16(float f) {
    const uint32_t bits = bits_of(f), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff,
                   half = 0x3f000000, bias = 112u << 23,
                   normal = (rest - bias + 0xfff + (rest >> 13 & 1)) >> 13,
                   denormal = bits_of(float_of(rest) + 0.5F) - half,
                   nan = 0x7e00 | (rest >> 13 & 0x3ff),
                   finite = pick(rest < 0x38800000, denormal, normal), /* below 2^-14 */
        special = pick(rest > 0x7f800000, nan, 0x7c00);
    return (uint16_t)(sign | pick(rest < 0x47800000, finite, special)); /* 2^16 */
}
#endif
#endif
