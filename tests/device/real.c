/* A real GPU in the place of the fake one (tests/device/fake), for programs of tests/mpi: as much
 * of fake.h as these need to draw memory. Linked with src/bench/gpu_memory.c.
 *
 * What only a fake device counts is told as if it were some. */
#include <stdio.h>
#include <stdlib.h>

#include "../../src/bench/gpu_memory.h"
#include "fake/fake.h"

/* Managed memory and memory without a handle: there is none. */
void *fake_alloc(size_t bytes, int kind) {
    static int is_open;
    const char *const rank = getenv("OMPI_COMM_WORLD_LOCAL_RANK"),
                      *const other = getenv("MPI_LOCALRANKID"), *why;
    if (!is_open && (why = gpu_open(rank || other ? atoi(rank ? rank : other) : 0)))
        fprintf(stderr, "hopbine: %s\n", why), exit(4);
    is_open = 1;
    return kind == OF_DEVICE ? gpu_allocate(bytes) : NULL;
}
void fake_write(void *to, const void *from, size_t bytes) {
    if (gpu_write(to, from, bytes)) fake_fault("the GPU cannot be written to");
}
void fake_read(void *to, const void *from, size_t bytes) {
    if (gpu_read(to, from, bytes)) fake_fault("the GPU cannot be read");
}
void fake_fault(const char *what) {
    fprintf(stderr, "hopbine: %s\n", what);
    abort();
}
int fake_copies(void) { return 1; }
int fake_kernels(void) { return 1; }
int fake_node_kernels(void) { return 1; }
long fake_peer_bytes(void) { return 1; }
