/* Buffers of a call in memory that each rank draws: the host's, managed memory, or that of a fake
 * device (tests/device/fake; tests/device/real.c is a real one), which the CPU cannot touch, some
 * of it without a handle. */
#pragma once
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOST, DEVICE, MANAGED, POOL, MEMORIES, OFFSETS = 64 };
static char *drawn_from[2][MEMORIES], *drawn_at[2];
static unsigned drawn_seed;
static void *(*readable_of)(const void *); /* NULL of a real device */
static void (*write_device)(void *, const void *, size_t),
    (*read_device)(void *, const void *, size_t);
static int (*device_copies)(void), (*device_kernels)(void); /* so far */
static int (*node_kernels)(void);                           /* those of a node's ranks */
static long (*peer_bytes)(void);                            /* so far */

static int has_device(void) { return write_device != NULL; }

/* Loads the library that HOPBINE_TEST_DEVICE names, if any. `most`: bytes of a buffer. */
static void load_device(int rank, size_t most) {
    const char *const path = getenv("HOPBINE_TEST_DEVICE"), *const seed =
                                                                getenv("HOPBINE_TEST_SEED");
    void *(*alloc)(size_t, int);
    if (!path) return;
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fprintf(stderr, "%s\n", dlerror()), exit(3);
    *(void **)&alloc = dlsym(library, "fake_alloc");
    *(void **)&readable_of = dlsym(library, "fake_twin");
    *(void **)&write_device = dlsym(library, "fake_write");
    *(void **)&read_device = dlsym(library, "fake_read");
    *(void **)&device_copies = dlsym(library, "fake_copies");
    *(void **)&device_kernels = dlsym(library, "fake_kernels");
    *(void **)&node_kernels = dlsym(library, "fake_node_kernels");
    *(void **)&peer_bytes = dlsym(library, "fake_peer_bytes");
    for (int b = 0; b < 2; ++b)
        for (int m = DEVICE; m < MEMORIES; ++m)
            drawn_from[b][m] = alloc(most + 8 * OFFSETS, m - DEVICE);
    drawn_seed = 977u * (unsigned)(seed ? atoi(seed) : 1) + (unsigned)rank;
}

/* Where the call has buffer `b` (0 or 1): a copy of `from`, or `from` itself. */
static char *drawn_memory(int b, char *from, size_t bytes) {
    if (!has_device()) return drawn_at[b] = from;
    drawn_seed = drawn_seed * 1664525u + 1013904223u;
    /* Plain device memory twice as often as the others. */
    const unsigned drawn = (drawn_seed >> 16) % (MEMORIES + 1);
    char *const memory = drawn_from[b][drawn == MEMORIES ? DEVICE : drawn];
    if (!memory) return drawn_at[b] = from;
    drawn_at[b] = memory + 8 * ((drawn_seed >> 20) % OFFSETS);
    write_device(drawn_at[b], from, bytes);
    return drawn_at[b];
}

/* Whether both buffers of the call are in device memory. */
static inline int all_on_device(void) {
    for (int b = 0; b < 2; ++b) {
        const char *const from = drawn_from[b][DEVICE];
        if (!has_device() || drawn_at[b] < from || drawn_at[b] > from + 8 * OFFSETS) return 0;
    }
    return 1;
}

/* Copies buffer `b` back after the call. */
static void take_back(int b, char *to, size_t bytes) {
    if (drawn_at[b] != to) read_device(to, drawn_at[b], bytes);
}
