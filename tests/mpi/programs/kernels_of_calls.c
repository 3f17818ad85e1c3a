/* The kernels of reductions in device memory, and whether these give the bits of the same calls on
 * host memory: of rounded sums, which depend on the order of the operands.
 *
 *   kernels_of_calls COLLECTIVE:ALGORITHM[/PARAMETER=VALUE]...   (under hopbine run --gpu direct)
 *
 * Prints a line for each, of all ranks together: its kernels, and the bytes that they read or write
 * for each byte of the vector. Then "N passed, M failed". HOPBINE_TEST_DEVICE: a library of
 * tests/device/fake. Linked with aware_messages.c. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 840 };
static int rank, p, passed, failed;
static int (*choose)(const char *), (*kernels)(void);
static long (*kernel_bytes)(void);
static void *(*alloc)(size_t, int), *(*twin)(const void *);

static void call(const char *collective, const float *send, float *recv) {
    const MPI_Comm c = MPI_COMM_WORLD;
    if (!strcmp(collective, "reduce"))
        MPI_Reduce(send, recv, N, MPI_FLOAT, MPI_SUM, 0, c);
    else if (!strcmp(collective, "allreduce"))
        MPI_Allreduce(send, recv, N, MPI_FLOAT, MPI_SUM, c);
    else if (!strcmp(collective, "scan"))
        MPI_Scan(send, recv, N, MPI_FLOAT, MPI_SUM, c);
    else if (!strcmp(collective, "exscan"))
        MPI_Exscan(send, recv, N, MPI_FLOAT, MPI_SUM, c);
    else
        MPI_Reduce_scatter_block(send, recv, N / p, MPI_FLOAT, MPI_SUM, c);
}

/* Ends the process where a symbol is missing. */
static void *symbol(void *library, const char *name) {
    void *const out = dlsym(library, name);
    if (!out) fprintf(stderr, "%s is missing\n", name), MPI_Abort(MPI_COMM_WORLD, 2);
    return out;
}

static void try_algorithm(char *argument, float *const host[2], float *const device[2]) {
    char *const collective = strtok(argument, ":"), *const algorithm = strtok(NULL, ":"), spec[200];
    for (char *c = strchr(algorithm, '/'); c; c = strchr(c, '/')) *c = ':';
    snprintf(spec, sizeof spec, "%s=%s", collective, algorithm);
    if (choose(spec)) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 0; i < N; ++i) {
        host[0][i] = 1.0F / (float)(i + rank * 7 + 3);
        host[1][i] = -1;
    }
    memcpy(twin(device[0]), host[0], sizeof(float[N]));
    memcpy(twin(device[1]), host[1], sizeof(float[N]));
    call(collective, host[0], host[1]);
    long mine[3] = {-kernels(), -kernel_bytes(), 0}, all[3];
    call(collective, device[0], device[1]);
    mine[0] += kernels();
    mine[1] += kernel_bytes();
    mine[2] = memcmp(twin(device[1]), host[1], sizeof(float[N])) != 0;
    choose("allreduce=mpi");
    MPI_Allreduce(mine, all, 3, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    *(all[2] ? &failed : &passed) += 1;
    if (rank) return;
    for (char *c = strchr(algorithm, ':'); c; c = strchr(c, ':')) *c = '/';
    printf("%s:%s %ld %.4f%s\n", collective, algorithm, all[0], (double)all[1] / sizeof(float[N]),
           all[2] ? " differs" : "");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const char *const path = getenv("HOPBINE_TEST_DEVICE");
    void *const library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library || N % p) fprintf(stderr, "no device, or ranks\n"), MPI_Abort(MPI_COMM_WORLD, 2);
    *(void **)&choose = symbol(RTLD_DEFAULT, "hopbine_select");
    *(void **)&alloc = symbol(library, "fake_alloc");
    *(void **)&twin = symbol(library, "fake_twin");
    *(void **)&kernels = symbol(library, "fake_kernels");
    *(void **)&kernel_bytes = symbol(library, "fake_kernel_bytes");
    float *host[2], *device[2];
    for (int b = 0; b < 2; ++b) {
        host[b] = malloc(sizeof(float[N]));
        device[b] = alloc(sizeof(float[N]), 0);
    }
    for (int i = 1; i < argc; ++i) try_algorithm(argv[i], host, device);
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    for (int b = 0; b < 2; ++b) free(host[b]);
    MPI_Finalize();
    return failed > 0;
}
