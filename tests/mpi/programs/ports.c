/* Algorithms on several ports, in calls back to back.
 *
 * Ranks are late at random, sizes range from nothing to MiB, some algorithms use one port: messages
 * of several channels and calls are in flight at the same time. The expected results do not depend
 * on the MPI library.
 *
 *   ports COLLECTIVE:ALGORITHM...   (under hopbine run)
 *
 * Prints "N passed, M failed" on rank 0; the exit code is 1 when anything failed. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, p, passed, failed;
static int (*choose)(const char *);
static const char *(*served)(void);

static int value(int r, long i, int turn) {
    return (int)((r + 1) * 1009L + i * 31 + turn * 7) % 100003;
}

static void late(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    if ((*seed >> 16) % 4 == 0) usleep((*seed >> 20) % 300);
}

static int sum(long i, int turn) {
    int all = 0;
    for (int r = 0; r < p; ++r) all += value(r, i, turn);
    return all;
}

/* Expected element i of this rank's vector, or of its blocks of n elements each; -1: undefined. */
static int wanted(const char *collective, long n, int root, long i, int turn) {
    if (!strcmp(collective, "bcast")) return value(root, i, turn);
    if (!strcmp(collective, "allreduce")) return sum(i, turn);
    if (!strcmp(collective, "reduce_scatter")) return sum(n * rank + i, turn);
    if (!strcmp(collective, "scatter")) return value(root, n * rank + i, turn);
    if (!strcmp(collective, "reduce")) return rank == root ? sum(i, turn) : -1;
    if (!strcmp(collective, "alltoall")) return value((int)(i / n), n * rank + i % n, turn);
    return rank == root || !strcmp(collective, "allgather") ? value((int)(i / n), i % n, turn) : -1;
}

/* Makes one call with n elements in every block, or in the vector. */
static void call(const char *collective, const char *algorithm, int n, int turn) {
    const int root = turn % p, pairs = !strcmp(collective, "alltoall");
    const long in = pairs || strstr(collective, "scatter") ? (long)n * p : n,
               out = pairs || strstr(collective, "gather") ? (long)n * p : n;
    int *send = malloc((size_t)in * sizeof *send + 1),
        *recv = malloc((size_t)out * sizeof *recv + 1), wrong = 0;
    MPI_Comm c = MPI_COMM_WORLD;
    for (long i = 0; i < in; ++i) send[i] = value(rank, i, turn);
    memset(recv, 0, (size_t)out * sizeof *recv);
    if (!strcmp(collective, "bcast"))
        MPI_Bcast(memcpy(recv, send, (size_t)n * sizeof *recv), n, MPI_INT, root, c);
    else if (!strcmp(collective, "reduce"))
        MPI_Reduce(send, recv, n, MPI_INT, MPI_SUM, root, c);
    else if (!strcmp(collective, "allreduce"))
        MPI_Allreduce(send, recv, n, MPI_INT, MPI_SUM, c);
    else if (!strcmp(collective, "reduce_scatter"))
        MPI_Reduce_scatter_block(send, recv, n, MPI_INT, MPI_SUM, c);
    else if (!strcmp(collective, "scatter"))
        MPI_Scatter(send, n, MPI_INT, recv, n, MPI_INT, root, c);
    else if (!strcmp(collective, "gather"))
        MPI_Gather(send, n, MPI_INT, recv, n, MPI_INT, root, c);
    else if (pairs)
        MPI_Alltoall(send, n, MPI_INT, recv, n, MPI_INT, c);
    else if (!strcmp(collective, "allgather"))
        MPI_Allgather(send, n, MPI_INT, recv, n, MPI_INT, c);
    else
        MPI_Abort(c, 3); /* not known here */
    for (long i = 0; i < out; ++i) {
        const int want = wanted(collective, n, root, i, turn);
        wrong |= want >= 0 && recv[i] != want;
    }
    if (wrong)
        fprintf(stderr, "rank %d: %s %s of %d elements differs in turn %d\n", rank, collective,
                algorithm, n, turn);
    if (strncmp(served(), algorithm, strlen(algorithm))) {
        fprintf(stderr, "rank %d: %s was to serve, %s did\n", rank, algorithm, served());
        wrong = 1;
    }
    *(wrong ? &failed : &passed) += 1;
    free(send);
    free(recv);
}

int main(int argc, char **argv) {
    const int sizes[] = {0, 1, 7, 100, 3000, 65537, 1 << 19};
    unsigned seed;
    char asked[200];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    if (!choose || !served) MPI_Abort(MPI_COMM_WORLD, 2);
    seed = (unsigned)rank * 77u + 5u;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
        for (int turn = 0; turn < (sizes[s] < 10000 ? 20 : 2); ++turn)
            for (int i = 1; i < argc; ++i) {
                char *algorithm = strchr(argv[i], ':') + 1, collective[40] = "";
                strncat(collective, argv[i], (size_t)(algorithm - argv[i] - 1));
                snprintf(asked, sizeof asked, "%s=%s", collective, algorithm);
                if (choose(asked)) MPI_Abort(MPI_COMM_WORLD, 2);
                late(&seed);
                const int blocks = strstr(collective, "gather") || strstr(collective, "scatter") ||
                                   !strcmp(collective, "alltoall");
                call(collective, algorithm, blocks ? sizes[s] / p : sizes[s], turn);
            }
    choose(NULL);
    PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    MPI_Finalize();
    return failed > 0;
}
