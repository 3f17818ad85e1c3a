/* Threads that call collectives at the same time, each on its own short-lived communicators.
 *
 * While one thread frees communicators others are in calls. Prints "N passed, M failed" on rank 0;
 * passes where the library has no MPI_THREAD_MULTIPLE, and reports that. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 12, LONG = 3000 };

static int rank, p;

/* Calls sums, gathers, alltoalls and derived datatypes. Returns the number of failures. */
static long calls(MPI_Comm c, int seed, MPI_Datatype pair) {
    int in[LONG], out[LONG], all[64], counts[64], places[64];
    long bad = 0;
    for (int i = 0; i < LONG; ++i) in[i] = i * (rank + 1) + seed;
    MPI_Allreduce(in, out, LONG, MPI_INT, MPI_SUM, c);
    for (int i = 0; i < LONG; ++i) bad += out[i] != i * p * (p + 1) / 2 + seed * p;
    MPI_Reduce_scatter_block(in, out, LONG / p, MPI_INT, MPI_MAX, c);
    bad += out[0] != rank * (LONG / p) * p + seed;
    for (int i = 0; i < LONG; ++i) out[i] = rank == seed % p ? i + seed : -1;
    MPI_Bcast(out, LONG / 2, pair, seed % p, c);
    for (int i = 0; i < LONG; ++i) bad += out[i] != i + seed;
    const int mine = 10 * rank + seed;
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, c);
    for (int r = 0; r < p; ++r)
        bad += all[r] != 10 * r + seed, counts[r] = (rank + r + seed) % 3, places[r] = 3 * r;
    MPI_Alltoallv(in, counts, places, MPI_INT, out, counts, places, MPI_INT, c);
    for (int r = 0; r < p; ++r)
        for (int i = 0; i < counts[r]; ++i)
            bad += out[3 * r + i] != (3 * rank + i) * (r + 1) + seed;
    return bad;
}

struct work {
    MPI_Comm own;
    int number;
};

static void *serve(void *given) {
    const struct work *w = given;
    long bad = 0;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int round = 0; round < ROUNDS; ++round) {
        MPI_Comm fresh;
        bad += calls(w->own, round + w->number, pair);
        MPI_Comm_dup(w->own, &fresh);
        bad += calls(fresh, round, pair);
        MPI_Comm_free(&fresh);
    }
    MPI_Type_free(&pair);
    return (void *)bad;
}

int main(int argc, char **argv) {
    int provided, failed = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const int threads = provided < MPI_THREAD_MULTIPLE ? 1 : THREADS;
    if (rank == 0 && threads == 1) printf("one thread: this library has no MPI_THREAD_MULTIPLE\n");
    pthread_t t[THREADS];
    struct work w[THREADS];
    for (int k = 0; k < threads; ++k) MPI_Comm_dup(MPI_COMM_WORLD, &w[k].own), w[k].number = k;
    for (int k = 0; k < threads; ++k) pthread_create(&t[k], NULL, serve, &w[k]);
    for (int k = 0; k < threads; ++k) {
        void *bad;
        pthread_join(t[k], &bad);
        failed += bad != NULL;
    }
    for (int k = 0; k < threads; ++k) MPI_Comm_free(&w[k].own);
    PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", threads * p - failed, failed);
    MPI_Finalize();
    return failed > 0;
}
