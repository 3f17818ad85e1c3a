/* The kernels: hopbine's source for devices, compiled for the CPU. Threads of a block run one by
 * one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "fake.h"

#define HOPBINE_ENTRY static
#define HOPBINE_INLINE static inline
static __thread struct {
    unsigned x;
} blockIdx, threadIdx, blockDim, gridDim;
#include "../../../src/device/kernels/reductions.cu"

#define HOPBINE_NAMED(operation, suffix, T, value)                                     \
    {#operation "_" #suffix, operation##_##suffix, sizeof(T), OF_ONE},                 \
        {#operation "_" #suffix "_several", operation##_##suffix##_several, sizeof(T), \
         OF_SEVERAL},                                                                  \
        {#operation "_" #suffix "_node", operation##_##suffix##_node, sizeof(T), OF_NODE},
struct kernel {
    const char *name;
    void *run;
    size_t width;
    enum { OF_ONE, OF_SEVERAL, OF_NODE } kind;
};
static const kernel all[] = {
    HOPBINE_REDUCTIONS(HOPBINE_NAMED){"copies_node", copies_node, 1, OF_NODE}};
enum { ALL = sizeof all / sizeof *all };

const kernel *fake_kernel(const char *name) {
    for (int i = 0; i < ALL; ++i)
        if (!strcmp(all[i].name, name)) return &all[i];
    return NULL;
}
size_t fake_width(const kernel *k) { return k->width; }
int fake_of_several(const kernel *k) { return k->kind == OF_SEVERAL; }
int fake_of_node(const kernel *k) { return k->kind == OF_NODE; }

typedef void of_one(const void *in, void *inout, number n);
typedef void of_several(hopbine_operands of, void *out, number n);
void fake_run(const kernel *k, const hopbine_operands *of, void *out, number n,
              const unsigned grid[2]) {
    gridDim.x = grid[0];
    blockDim.x = grid[1];
    for (blockIdx.x = 0; blockIdx.x < grid[0]; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < grid[1]; ++threadIdx.x)
            if (k->kind == OF_SEVERAL)
                ((of_several *)k->run)(*of, out, n);
            else
                ((of_one *)k->run)(of->at[0], out, n);
}

/* A block, and what it is given. */
struct block {
    const kernel *k;
    const hopbine_node *node;
    const void *in;
    void *out;
    unsigned x, threads, delay;
    pthread_t thread;
};
typedef void of_node(hopbine_node node, const void *in, void *out);
void fake_run_block(const kernel *k, const hopbine_node *node, const void *in, void *out,
                    unsigned x, unsigned threads) {
    blockIdx.x = x;
    blockDim.x = threads;
    ((of_node *)k->run)(*node, in, out);
}
static void *run_block(void *of) {
    const struct block *const b = of;
    if (b->delay) usleep(b->delay);
    fake_run_block(b->k, b->node, b->in, b->out, b->x, b->threads);
    return NULL;
}
/* The device runs one such kernel at a time, of all processes that name the same file:
 * HOPBINE_TEST_RESIDENT. */
static int resident(void) {
    const char *const path = getenv("HOPBINE_TEST_RESIDENT");
    const int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file >= 0) flock(file, LOCK_EX);
    return file;
}
static void leave_device(int file) {
    if (file >= 0) close(file);
}
void fake_keep_busy(unsigned microseconds) {
    const int file = resident();
    usleep(microseconds);
    leave_device(file);
}

void fake_run_node(const kernel *k, const hopbine_node *node, const void *in, void *out,
                   const unsigned grid[2]) {
    struct block all[HOPBINE_NODE_BLOCKS];
    static unsigned runs;
    const int file = resident();
    unsigned drawn = __atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED) * 2654435761u + node->rank;
    for (unsigned x = 0; x < grid[0]; ++x) {
        drawn = drawn * 1664525u + 1013904223u;
        const unsigned delay = drawn >> 28 ? 0 : (drawn >> 16) % 300;
        all[x] = (struct block){k, node, in, out, x, grid[1], delay, 0};
        pthread_create(&all[x].thread, NULL, run_block, &all[x]);
    }
    for (unsigned x = 0; x < grid[0]; ++x) pthread_join(all[x].thread, NULL);
    leave_device(file);
}
