/* Reductions in half precision by hopbine, for each such datatype that the MPI library has.
 *
 * With HOPBINE_TEST_DEVICE the buffers of the calls are in memory that each rank draws.
 *
 * - On two ranks each, with any bits: hopbine's sum is the library's MPI_Reduce_local to the last
 *   bit. Not for bf16, where MPICH does not round to even, nor for NaNs.
 * - On all ranks, with numbers whose sums and products are exact in every order.
 * - Wherever buffers are, the bits are those of the same call in host memory.
 *
 * Prints "N passed, M failed" on rank 0, or ends with 77 where the library has none. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>

#include "drawn_memory.h"

enum { N = 5000, BYTES = 2 * N, TYPES = 2, OPERATIONS = 4 };
static int rank, p, passed, failed;
static const char *(*served)(void);
static const MPI_Op *operations;
static MPI_Comm pair;
static uint16_t in[N], out[N], host[N];

static void expect(int right, const char *what, int type, int op) {
    if (!right) fprintf(stderr, "rank %d: type %d, operation %d: %s\n", rank, type, op, what);
    *(right ? &passed : &failed) += 1;
}

/* The datatypes: fp16, bf16. */
static int types(MPI_Datatype found[TYPES]) {
    found[0] = found[1] = MPI_DATATYPE_NULL;
#ifdef OPEN_MPI
    void *const here = dlsym(RTLD_DEFAULT, "ompi_mpi_short_float");
    if (here) found[0] = (MPI_Datatype)here;
#endif
#ifdef MPIX_C_FLOAT16
    found[0] = MPIX_C_FLOAT16;
#endif
#ifdef MPIX_BFLOAT16
    found[1] = MPIX_BFLOAT16;
#endif
    int all = 0;
    for (int t = 0; t < TYPES; ++t) all += found[t] != MPI_DATATYPE_NULL;
    return all;
}

/* The bits of 2^e. */
static uint16_t power(int type, int e) {
    return (uint16_t)(type ? (127 + e) << 7 : (15 + e) << 10);
}
static uint16_t integer(int type, int n) {
    const int fraction = type ? 7 : 10;
    int e = 0;
    while (n >> (e + 1)) ++e;
    return (uint16_t)(power(type, e) | ((n << fraction >> e) & ((1 << fraction) - 1)));
}
static int is_nan(int type, uint16_t h) { return (h & 0x7fff) > (type ? 0x7f80 : 0x7c00); }

/* Allreduces in the host's memory, and in the memory that is drawn. */
static void allreduce(MPI_Datatype type, MPI_Op op, MPI_Comm comm, int n) {
    MPI_Allreduce(in, out, n, type, op, comm);
    memcpy(host, out, BYTES);
    memset(out, 0x7b, BYTES);
    char *const s = drawn_memory(0, (char *)in, BYTES), *const r =
                                                            drawn_memory(1, (char *)out, BYTES);
    MPI_Allreduce(s, r, n, type, op, comm);
    take_back(1, (char *)out, BYTES);
}

static void try_exact(MPI_Datatype type, int t, int op) {
    /* 1 + 1 + ..., 2 * 1/2 * 2 ..., least and greatest of -0, -1, -2 ... */
    for (int i = 0; i < N; ++i)
        in[i] = op == 0   ? power(t, 0)
                : op == 1 ? power(t, rank % 2 ? -1 : 1)
                          : (uint16_t)(0x8000 | (rank ? power(t, rank) : 0));
    allreduce(type, operations[op], MPI_COMM_WORLD, N);
    expect(strcmp(served(), "mpi") != 0, "the library has served", t, op);
    int wrong = 0, moved = 0;
    for (int i = 0; i < N; ++i) {
        const uint16_t wanted = op == 0   ? integer(t, p)
                                : op == 1 ? power(t, p % 2)
                                : op == 2 ? (uint16_t)(0x8000 | (p > 1 ? power(t, p - 1) : 0))
                                          : 0x8000;
        wrong += host[i] != wanted;
        moved += out[i] != host[i];
    }
    expect(!wrong, "exact", t, op);
    expect(!moved, "exact, elsewhere", t, op);
}

static void try_rounded(MPI_Datatype type, int t, int op) {
    static uint16_t both[2][N];
    static unsigned drawn = 1;
    int me, all;
    MPI_Comm_rank(pair, &me);
    MPI_Comm_size(pair, &all);
    drawn = drawn * 2654435761u + (unsigned)rank;
    for (int i = 0; i < N; ++i) {
        do in[i] = (uint16_t)((drawn = drawn * 1664525u + 1013904223u) >> 16);
        while (is_nan(t, in[i]));
    }
    MPI_Allgather(in, N, MPI_UINT16_T, both, N, MPI_UINT16_T, pair);
    allreduce(type, operations[op], pair, N);
    int wrong = 0, moved = 0;
    if (t == 0 && all == 2) MPI_Reduce_local(both[0], both[1], N, type, operations[op]);
    for (int i = 0; i < N; ++i) {
        moved += out[i] != host[i] && !(is_nan(t, out[i]) && is_nan(t, host[i]));
        if (t == 0 && all == 2 && host[i] != both[1][i])
            wrong += !is_nan(t, host[i]) || !is_nan(t, both[1][i]);
    }
    expect(!wrong, "other bits than the library's", t, op);
    expect(!moved, "rounded, elsewhere", t, op);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const MPI_Op all[OPERATIONS] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX};
    operations = all;
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    load_device(rank, BYTES);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    MPI_Datatype found[TYPES];
    if (!types(found)) return MPI_Finalize(), 77;
    for (int turn = 0; turn < (has_device() ? 20 : 1); ++turn)
        for (int t = 0; t < TYPES; ++t)
            for (int op = 0; op < OPERATIONS && found[t] != MPI_DATATYPE_NULL; ++op) {
                try_exact(found[t], t, op);
                try_rounded(found[t], t, op);
            }
    int sum[2], mine[2] = {passed, failed};
    MPI_Reduce(mine, sum, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d passed, %d failed\n", sum[0], sum[1]);
        if (has_device()) printf("kernels: %d\n", device_kernels() > 0);
    }
    MPI_Finalize();
    return failed > 0;
}
