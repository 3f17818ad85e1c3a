/* Reductions on a device: inout[i] = in[i] op inout[i] for n elements, one kernel for each
 * operation and element, called OPERATION_ELEMENT. Compiled by nvcc or hipcc, and as C for the fake
 * device of the tests. */
#ifdef __cplusplus
#define HOPBINE_ENTRY extern "C" __global__
#define HOPBINE_INLINE static __device__ __forceinline__
#endif
#include "reductions.h"

typedef unsigned long long number;
enum { WIDE = 16 }; /* bytes that a thread loads at once */

/* Elements of `size` bytes that lie before the first aligned bytes of both; all n where the two are
 * never aligned together. */
HOPBINE_INLINE number elements_before(const void* in, const void* inout, number size, number n) {
    const number off = (number)inout % WIDE, head = (WIDE - off) % WIDE / size;
    return (number)in % WIDE != off || off % size || head > n ? n : head;
}

#define HOPBINE_KERNEL(operation, suffix, T, value)                                               \
    typedef struct {                                                                              \
        T at[WIDE / sizeof(T)];                                                                   \
    } __attribute__((aligned(WIDE))) operation##_##suffix##_wide;                                 \
    HOPBINE_INLINE T operation##_##suffix##_of(T x, T y) { return (T)(value); }                   \
    HOPBINE_ENTRY void operation##_##suffix(const T* in, T* inout, number n) {                    \
        typedef operation##_##suffix##_wide wide;                                                 \
        const number each = WIDE / sizeof(T), me = (number)blockIdx.x * blockDim.x + threadIdx.x, \
                     all = (number)gridDim.x * blockDim.x,                                        \
                     before = elements_before(in, inout, sizeof(T), n),                           \
                     wides = (n - before) / each;                                                 \
        const wide* const from = (const wide*)(in + before);                                      \
        wide* const to = (wide*)(inout + before);                                                 \
        for (number i = me; i < before; i += all)                                                 \
            inout[i] = operation##_##suffix##_of(in[i], inout[i]);                                \
        for (number i = me; i < wides; i += all) {                                                \
            const wide x = from[i];                                                               \
            wide y = to[i];                                                                       \
            for (number k = 0; k < each; ++k)                                                     \
                y.at[k] = operation##_##suffix##_of(x.at[k], y.at[k]);                            \
            to[i] = y;                                                                            \
        }                                                                                         \
        for (number i = before + wides * each + me; i < n; i += all)                              \
            inout[i] = operation##_##suffix##_of(in[i], inout[i]);                                \
    }
HOPBINE_REDUCTIONS(HOPBINE_KERNEL)
