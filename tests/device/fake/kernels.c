/* The kernels: hopbine's source for devices, compiled for the CPU. Its threads run one by one. */
#include <string.h>

#include "fake.h"

#define HOPBINE_ENTRY static
#define HOPBINE_INLINE static inline
static __thread struct {
    unsigned x;
} blockIdx, threadIdx, blockDim, gridDim;
#include "../../../src/device/kernels/reductions.cu"

#define HOPBINE_NAMED(operation, suffix, T, value)                \
    {#operation "_" #suffix, operation##_##suffix, sizeof(T), 0}, \
        {#operation "_" #suffix "_several", operation##_##suffix##_several, sizeof(T), 1},
struct kernel {
    const char *name;
    void *run;
    size_t width;
    int of_several;
};
static const kernel all[] = {HOPBINE_REDUCTIONS(HOPBINE_NAMED)};
enum { ALL = sizeof all / sizeof *all };

const kernel *fake_kernel(const char *name) {
    for (int i = 0; i < ALL; ++i)
        if (!strcmp(all[i].name, name)) return &all[i];
    return NULL;
}
size_t fake_width(const kernel *k) { return k->width; }
int fake_of_several(const kernel *k) { return k->of_several; }

typedef void of_one(const void *in, void *inout, number n);
typedef void of_several(hopbine_operands of, void *out, number n);
void fake_run(const kernel *k, const hopbine_operands *of, void *out, number n,
              const unsigned grid[2]) {
    gridDim.x = grid[0];
    blockDim.x = grid[1];
    for (blockIdx.x = 0; blockIdx.x < grid[0]; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < grid[1]; ++threadIdx.x)
            if (k->of_several)
                ((of_several *)k->run)(*of, out, n);
            else
                ((of_one *)k->run)(of->at[0], out, n);
}
