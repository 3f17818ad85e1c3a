/* Reductions on a device, three kernels for each operation and element. OPERATION_ELEMENT computes
 * inout[i] = in[i] op inout[i] for n elements, OPERATION_ELEMENT_several adds several operands,
 * OPERATION_ELEMENT_node those of the ranks of a node (node_collectives.h).
 * Compiled by nvcc or hipcc, and as C for the fake device of the tests. */
#ifdef __cplusplus
/* Work of each thread of a block, which all have done before the next begins. */
#define HOPBINE_EACH_THREAD(...) \
    {                            \
        __VA_ARGS__              \
        __syncthreads();         \
    }
#define HOPBINE_SHARED __shared__
/* A flag in memory that other devices or the host read, written after all that the block has
 * written, and read before all that it reads then. No expression: nvcc reads the value of an
 * assignment to volatile memory back, which takes 15 us from the host's (H200). */
#define HOPBINE_STORE_FLAG(at, value) \
    do {                              \
        __threadfence_system();       \
        HOPBINE_STORE(at, value);     \
    } while (0)
#define HOPBINE_LOAD_FLAG(at) (*(const volatile uint32_t*)(at))
/* A number that other blocks of the kernel read and that tells of nothing else. */
#define HOPBINE_STORE(at, value) *(volatile uint32_t*)(at) = (value)
#define HOPBINE_LOAD(at) (*(const volatile uint32_t*)(at))
#define HOPBINE_ACQUIRED() __threadfence_system()
#define HOPBINE_PAUSE()
#define HOPBINE_ENTRY extern "C" __global__
/* A kernel whose blocks have so many threads: their registers are to be there for all. */
#define HOPBINE_ENTRY_OF(threads) HOPBINE_ENTRY __launch_bounds__(threads)
#define HOPBINE_INLINE static __device__ __forceinline__
#define HOPBINE_UNROLLED(times) _Pragma(HOPBINE_TEXT(unroll times))
#define HOPBINE_TEXT(words) #words
#else
#include <sched.h>
#define HOPBINE_ENTRY_OF(threads) HOPBINE_ENTRY
#define HOPBINE_UNROLLED(times)
#define HOPBINE_EACH_THREAD(...)                                     \
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x) { \
        __VA_ARGS__                                                  \
    }
#define HOPBINE_SHARED static __thread
#define HOPBINE_STORE_FLAG(at, value) __atomic_store_n(at, value, __ATOMIC_RELEASE)
#define HOPBINE_LOAD_FLAG(at) __atomic_load_n(at, __ATOMIC_ACQUIRE)
#define HOPBINE_STORE(at, value) __atomic_store_n(at, value, __ATOMIC_RELAXED)
#define HOPBINE_LOAD(at) __atomic_load_n(at, __ATOMIC_RELAXED)
#define HOPBINE_ACQUIRED()
#define HOPBINE_PAUSE() sched_yield()
#endif
/* A parameter whose elements are read where it lies, whichever is asked for. */
#ifdef __CUDACC__
#define HOPBINE_CONSTANT const __grid_constant__
#else
#define HOPBINE_CONSTANT const
#endif
#include "operands.h"
#include "reductions.h"

typedef unsigned long long number;
enum { WIDE = 16 }; /* bytes that a thread loads at once */

/* Elements of `size` bytes that lie before the first aligned bytes of both; all n where the two are
 * never aligned together. */
HOPBINE_INLINE number elements_before(const void* in, const void* inout, number size, number n) {
    const number off = (number)inout % WIDE, head = (WIDE - off) % WIDE / size;
    return (number)in % WIDE != off || off % size || head > n ? n : head;
}

/* Elements that lie before the first aligned bytes of `out` and of every operand. */
HOPBINE_INLINE number elements_before_all(const hopbine_operands* of, const void* out, number size,
                                          number n) {
    number before = 0;
    for (unsigned k = 0; k < of->count && before < n; ++k)
        before = elements_before(of->at[k], out, size, n);
    return before;
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

/* As many calls of the kernel above would compute it: half precision is rounded at each. */
#define HOPBINE_KERNEL_OF_SEVERAL(operation, suffix, T, value)                                    \
    HOPBINE_INLINE T operation##_##suffix##_next(T sum, T next, unsigned sum_is_left) {           \
        return operation##_##suffix##_of(sum_is_left ? sum : next, sum_is_left ? next : sum);     \
    }                                                                                             \
    HOPBINE_ENTRY void operation##_##suffix##_several(HOPBINE_CONSTANT hopbine_operands of,       \
                                                      T* out, number n) {                         \
        typedef operation##_##suffix##_wide wide;                                                 \
        const number each = WIDE / sizeof(T), me = (number)blockIdx.x * blockDim.x + threadIdx.x, \
                     all = (number)gridDim.x * blockDim.x,                                        \
                     before = elements_before_all(&of, out, sizeof(T), n),                        \
                     wides = (n - before) / each;                                                 \
        for (number i = me; i < wides; i += all) {                                                \
            wide sum = ((const wide*)((const T*)of.at[0] + before))[i];                           \
            HOPBINE_UNROLLED(1) for (unsigned k = 1; k < of.count; ++k) {                         \
                const wide next = ((const wide*)((const T*)of.at[k] + before))[i];                \
                for (number e = 0; e < each; ++e)                                                 \
                    sum.at[e] =                                                                   \
                        operation##_##suffix##_next(sum.at[e], next.at[e], of.sum_is_left);       \
            }                                                                                     \
            ((wide*)(out + before))[i] = sum;                                                     \
        }                                                                                         \
        HOPBINE_UNROLLED(1) for (number j = me; j < n - wides * each; j += all) {                 \
            const number i = j < before ? j : j + wides * each;                                   \
            T sum = ((const T*)of.at[0])[i];                                                      \
            HOPBINE_UNROLLED(1)                                                                   \
            for (unsigned k = 1; k < of.count; ++k)                                               \
                sum = operation##_##suffix##_next(sum, ((const T*)of.at[k])[i], of.sum_is_left);  \
            out[i] = sum;                                                                         \
        }                                                                                         \
    }
HOPBINE_REDUCTIONS(HOPBINE_KERNEL_OF_SEVERAL)
#include "node_collectives.h"
