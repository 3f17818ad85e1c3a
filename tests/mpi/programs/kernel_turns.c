/* Collectives that the devices of a node serve by themselves once that has paid, on a communicator
 * and then on a duplicate of it.
 *
 *   kernel_turns TURNS [COLLECTIVES]     HOPBINE_TEST_DEVICE: a library of tests/device/fake
 *
 * Of the first so many collectives, else of all. On each communicator at most so many turns are
 * made, and no more once kernels have served half of the collectives in LASTING turns, more than a
 * trial has. -DN: elements.
 * Then algorithms are selected by name for some calls. Each rank draws where its buffers are, so
 * that ranks differ in a call. Every element is compared. Prints what served the last call of each
 * collective on rank 0, each time, and "N passed, M failed". */
#define _GNU_SOURCE
#include <mpi.h>

#include "drawn_memory.h"

#ifndef N
#define N 6000
#endif
#ifndef LASTING
#define LASTING 25
#endif
enum { MOST_RANKS = 8 };
enum { ALLREDUCE, REDUCE, REDUCE_SCATTER, ALLGATHER, BCAST, ALLTOALL, KINDS };
static const char *const names[] = {"allreduce", "reduce", "reduce_scatter",
                                    "allgather", "bcast",  "alltoall"};
static int rank, p, kinds = KINDS, passed, failed;
static int *in, *out;
static const char *(*served)(void);
static const char *by[KINDS];

static int given(int from, int i, int turn) { return 3 * from + i + 7 * turn; }
static int sum(int i, int turn) { return p * (i + 7 * turn) + 3 * p * (p - 1) / 2; }

/* What element i of the result is to be. */
static int wanted(int kind, int i, int turn, int root) {
    switch (kind) {
    case REDUCE_SCATTER: return sum(i + rank * N, turn);
    case ALLGATHER: return given(i / N, i % N, turn);
    case BCAST: return given(root, i, turn);
    case ALLTOALL: return given(i / N, i % N + rank * N, turn);
    default: return sum(i, turn);
    }
}

static void call(int kind, const void *from, void *to, int root, MPI_Comm comm) {
    switch (kind) {
    case ALLREDUCE: MPI_Allreduce(from, to, N, MPI_INT, MPI_SUM, comm); break;
    case REDUCE: MPI_Reduce(from, to, N, MPI_INT, MPI_SUM, root, comm); break;
    case REDUCE_SCATTER: MPI_Reduce_scatter_block(from, to, N, MPI_INT, MPI_SUM, comm); break;
    case ALLGATHER: MPI_Allgather(from, N, MPI_INT, to, N, MPI_INT, comm); break;
    case BCAST: MPI_Bcast(to, N, MPI_INT, root, comm); break;
    default: MPI_Alltoall(from, N, MPI_INT, to, N, MPI_INT, comm);
    }
    by[kind] = served ? served() : "nobody";
}

static void make(int kind, int turn, MPI_Comm comm) {
    const int root = turn % p;
    const size_t bytes = sizeof(int) * N * (size_t)p;
    for (int i = 0; i < N * p; ++i) in[i] = given(rank, i, turn), out[i] = -1;
    if (kind == BCAST && rank == root) memcpy(out, in, sizeof(int) * N);
    const char *const from = drawn_memory(0, (char *)in, bytes);
    char *const to = drawn_memory(1, (char *)out, bytes);
    call(kind, from, to, root, comm);
    take_back(1, (char *)out, bytes);
    const int all = kind == ALLGATHER || kind == ALLTOALL ? N * p : N;
    int wrong = 0;
    for (int i = 0; i < all && (kind != REDUCE || rank == root); ++i)
        wrong += out[i] != wanted(kind, i, turn, root);
    if (wrong) printf("rank %d: %s of turn %d differs\n", rank, names[kind], turn);
    wrong ? ++failed : ++passed;
}

/* Collectives that kernels have served last: the same on all ranks. */
static int by_kernels(void) {
    int all = 0;
    for (int kind = 0; kind < kinds; ++kind) all += by[kind] && !strcmp(by[kind], "gpu_kernels");
    return all;
}

static void make_all(int turns, int enough, MPI_Comm comm, const char *on) {
    for (int turn = 0, lasting = 0; turn < turns && lasting < LASTING; ++turn) {
        for (int kind = 0; kind < kinds; ++kind) make(kind, turn, comm);
        lasting = by_kernels() >= enough ? lasting + 1 : 0;
    }
    for (int kind = 0; kind < kinds && rank == 0; ++kind)
        printf("%s on %s: %s\n", names[kind], on, by[kind]);
}

int main(int argc, char **argv) {
    MPI_Comm again;
    int (*choose)(const char *);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (argc < 2 || p > MOST_RANKS) MPI_Abort(MPI_COMM_WORLD, 2);
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    if (argc > 2) kinds = atoi(argv[2]);
    const size_t bytes = sizeof(int) * N * (size_t)p;
    in = malloc(bytes), out = malloc(bytes);
    load_device(rank, bytes);
    make_all(atoi(argv[1]), (kinds + 1) / 2, MPI_COMM_WORLD, "world");
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    make_all(atoi(argv[1]), (kinds + 1) / 2, again, "duplicate");
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    if (choose) choose("allreduce=ring,reduce=linear,bcast=linear,allgather=ring");
    make_all(2, KINDS + 1, MPI_COMM_WORLD, "world by name");
    if (choose) choose(NULL);
    make_all(2, KINDS + 1, MPI_COMM_WORLD, "world again");
    int all[2] = {passed, failed}, total[2];
    MPI_Reduce(all, total, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", total[0], total[1]);
    MPI_Comm_free(&again);
    free(in), free(out);
    MPI_Finalize();
    return failed > 0;
}
