/* Many calls of several kinds, in turns, on two communicators. Checks every result, and that all
 * ranks were served alike. Prints who served the last call of each kind.
 *   measured [CALLS] */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, KINDS = 9 };
static const char *const NAMES[KINDS] = {"bcast",          "reduce",   "allreduce",
                                         "reduce_scatter", "gather",   "scatter",
                                         "allgather",      "alltoall", "allreduce in place"};
static int p, rank;
static long right, wrong;
static int *from, *to;
static MPI_Comm comm;

static int value(int call, int of, int i) { return call * 7 + of * 1000003 + i; }

static int sum_of(int call, int i) {
    int sum = 0;
    for (int r = 0; r < p; ++r) sum += value(call, r, i);
    return sum;
}

static void expect(int is_right) { ++*(is_right ? &right : &wrong); }

static void reduction(int kind, int call, int n, int root) {
    for (int i = 0; i < n * p; ++i) from[i] = value(call, rank, i);
    if (kind == 1) MPI_Reduce(from, to, n, MPI_INT, MPI_SUM, root, comm);
    if (kind == 2) MPI_Allreduce(from, to, n, MPI_INT, MPI_SUM, comm);
    if (kind == 3) MPI_Reduce_scatter_block(from, to, n, MPI_INT, MPI_SUM, comm);
    if (kind == 8) {
        memcpy(to, from, sizeof(int) * (size_t)n);
        MPI_Allreduce(MPI_IN_PLACE, to, n, MPI_INT, MPI_SUM, comm);
    }
    if (kind == 1 && rank != root) return;
    for (int i = 0; i < n; i += n > 8 ? n / 8 : 1)
        expect(to[i] == sum_of(call, kind == 3 ? rank * n + i : i));
}

static void movement(int kind, int call, int n, int root) {
    for (int i = 0; i < n * p; ++i) from[i] = value(call, rank, i), to[i] = -1;
    if (kind == 0) MPI_Bcast(rank == root ? from : to, n, MPI_INT, root, comm);
    if (kind == 4) MPI_Gather(from, n, MPI_INT, to, n, MPI_INT, root, comm);
    if (kind == 5) MPI_Scatter(from, n, MPI_INT, to, n, MPI_INT, root, comm);
    if (kind == 6) MPI_Allgather(from, n, MPI_INT, to, n, MPI_INT, comm);
    if (kind == 7) MPI_Alltoall(from, n, MPI_INT, to, n, MPI_INT, comm);
    if (kind == 0) expect(rank == root || to[n - 1] == value(call, root, n - 1));
    if (kind == 5) expect(to[n - 1] == value(call, root, rank * n + n - 1));
    for (int r = 0; r < p; ++r) {
        if ((kind == 4 && rank == root) || kind == 6)
            expect(to[r * n + n - 1] == value(call, r, n - 1));
        if (kind == 7) expect(to[r * n] == value(call, r, rank * n));
    }
}

/* Whether all ranks of the communicator were served by the same. */
static void compare(const char *served) {
    char least[64] = {0}, most[64] = {0}, mine[64] = {0};
    strncpy(mine, served, sizeof mine - 1);
    PMPI_Allreduce(mine, least, sizeof mine, MPI_CHAR, MPI_MIN, comm);
    PMPI_Allreduce(mine, most, sizeof mine, MPI_CHAR, MPI_MAX, comm);
    expect(memcmp(least, most, sizeof least) == 0);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const int calls = argc > 1 ? atoi(argv[1]) : 300;
    const char *(*served)(void) = NULL;
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    MPI_Comm comms[2];
    int world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, world % 2, -world, &comms[1]);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    from = malloc(sizeof(int) * MOST * (size_t)p), to = malloc(sizeof(int) * MOST * (size_t)p);
    const char *last[KINDS] = {0};
    for (int call = 0; call < calls; ++call)
        for (int kind = 0; kind < KINDS; ++kind) {
            /* Two size classes, interleaved; roots that turn for the smaller. */
            const int small = (call + kind) % 3 != 0, n = small ? 3 : MOST;
            comm = comms[call % 5 == 4];
            MPI_Comm_rank(comm, &rank);
            MPI_Comm_size(comm, &p);
            const int root = small ? call % p : 0;
            if ((kind > 0 && kind < 4) || kind == 8)
                reduction(kind, call, n, root);
            else
                movement(kind, call, n, root);
            last[kind] = served();
            if (call % 16 == 0) compare(last[kind]);
        }
    /* Few calls on each of many communicators of the same ranks. */
    for (int i = 0; i < 100; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &p);
        for (int call = 0; call < 3; ++call) movement(6, call, 500, 0);
        MPI_Comm_free(&comm);
    }
    long mine[2] = {right, wrong}, all[2];
    PMPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (world == 0) {
        for (int kind = 0; kind < KINDS; ++kind) printf("%s: %s\n", NAMES[kind], last[kind]);
        printf("%ld passed, %ld failed\n", all[0], all[1]);
    }
    free(from), free(to);
    for (int i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return all[1] != 0;
}
