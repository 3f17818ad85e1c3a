/* An exchange whose counts are the same in every call: by the MPI library, by single calls that
 * hopbine serves, and prepared once by hopbine_alltoallv_init.
 *
 *   mpicc -O2 -I INCLUDE -o prepared prepared.c -L LIB -lhopbine_preload -Wl,-rpath,LIB      (both
 * folders: hopbine info) mpiexec -n 64 ./prepared 8,64,256,512 [ALGORITHM...]
 *
 * Sizes: bytes of a block on average, lengths uniform from 0 to twice that. ALGORITHM: as in
 * --algorithm, default "auto". In every one of 21 repetitions each way makes 10 calls, in turn; a
 * sample is the longest time of any rank. Prints medians and the library's time divided by that of
 * each way, paired, with quartiles. Every answer is checked. */
#include <hopbine/hopbine_mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "statistics.h"

int hopbine_select(const char *algorithms);

enum { REPETITIONS = 21, CALLS = 10, MOST_WAYS = 17 };

static int p, me;
static int *sent, *from, *awaited, *to;
static char *send, *recv;
static MPI_Request prepared;

static int length(int origin, int destination, int mean) {
    uint64_t x = (uint64_t)origin << 32 ^ (uint64_t)destination;
    for (int k = 0; k < 3; ++k) x = (x ^ x >> 31) * 0x9E3779B97F4A7C15u;
    return (int)((x >> 32) % (2 * (unsigned)mean + 1));
}

static void set_up(int mean) {
    sent = malloc(4 * sizeof(int) * (size_t)p), from = sent + p, awaited = from + p,
    to = awaited + p;
    int out = 0, in = 0;
    for (int r = 0; r < p; ++r) {
        sent[r] = length(me, r, mean), from[r] = out, out += sent[r];
        awaited[r] = length(r, me, mean), to[r] = in, in += awaited[r];
    }
    send = malloc((size_t)out + 1), recv = malloc((size_t)in + 1);
    for (int r = 0; r < p; ++r)
        for (int k = 0; k < sent[r]; ++k) send[from[r] + k] = (char)(me * 7 + r * 3 + k);
}

static void check(void) {
    for (int r = 0; r < p; ++r)
        for (int k = 0; k < awaited[r]; ++k)
            if (recv[to[r] + k] != (char)(r * 7 + me * 3 + k)) {
                fprintf(stderr, "rank %d: a wrong answer\n", me);
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
}

static void call(int by_request) {
    if (!by_request) {
        MPI_Alltoallv(send, sent, from, MPI_CHAR, recv, awaited, to, MPI_CHAR, MPI_COMM_WORLD);
        return;
    }
    MPI_Start(&prepared);
    MPI_Wait(&prepared, MPI_STATUS_IGNORE);
}

/* Mean seconds of a call, the longest of any rank. */
static double sample(const char *algorithm, int by_request) {
    char spec[200];
    double longest;
    snprintf(spec, sizeof spec, "alltoallv=%s", algorithm);
    if (hopbine_select(strcmp(algorithm, "auto") ? spec : NULL)) MPI_Abort(MPI_COMM_WORLD, 2);
    if (by_request)
        hopbine_alltoallv_init(send, sent, from, MPI_CHAR, recv, awaited, to, MPI_CHAR,
                               MPI_COMM_WORLD, MPI_INFO_NULL, &prepared);
    for (int i = 0; i < 3; ++i) call(by_request);
    memset(recv, -1, (size_t)(to[p - 1] + awaited[p - 1]));
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < CALLS; ++i) call(by_request);
    const double mine = (MPI_Wtime() - begin) / CALLS;
    check();
    if (by_request) MPI_Request_free(&prepared);
    MPI_Request pending;
    PMPI_Iallreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &pending);
    PMPI_Wait(&pending, MPI_STATUS_IGNORE);
    return longest;
}

static void measure(int mean, int n, char **algorithms) {
    static double times[MOST_WAYS][REPETITIONS], ratios[REPETITIONS];
    set_up(mean);
    for (int k = 0; k < REPETITIONS; ++k) {
        times[0][k] = sample("mpi", 0);
        for (int w = 0; w < 2 * n; ++w) times[1 + w][k] = sample(algorithms[w / 2], w % 2);
    }
    for (int w = 1; me == 0 && w <= 2 * n; ++w) {
        for (int k = 0; k < REPETITIONS; ++k) ratios[k] = times[0][k] / times[w][k];
        qsort(ratios, REPETITIONS, sizeof *ratios, ascending);
        qsort(times[w], REPETITIONS, sizeof(double), ascending);
        printf("%6d B  %-16s %-13s %9.0f us  %.2f x (%.2f..%.2f)\n", mean, algorithms[(w - 1) / 2],
               w % 2 ? "single calls" : "prepared", 1e6 * times[w][REPETITIONS / 2],
               ratios[REPETITIONS / 2], ratios[REPETITIONS / 4], ratios[3 * REPETITIONS / 4]);
    }
    free(sent), free(send), free(recv);
}

int main(int argc, char **argv) {
    char *automatic[] = {"auto"};
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (argc < 2 || argc - 2 > MOST_WAYS / 2) {
        if (me == 0)
            fprintf(stderr, "usage: prepared BYTES,... [ALGORITHM...]   (up to %d)\n",
                    MOST_WAYS / 2);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (char *size = strtok(argv[1], ","); size; size = strtok(NULL, ","))
        measure(atoi(size), argc > 2 ? argc - 2 : 1, argc > 2 ? argv + 2 : automatic);
    MPI_Finalize();
    return 0;
}
