/* MPI_Allreduce of doubles with exact sums, and the MPI library's own past any preload, in turns
 * within one job. docs/sums.md has the results.
 *
 *   mpicc -O2 -o sums benchmarks/sums.c -ldl
 *   mpiexec -n 2 hopbine run --sums exact ./sums BYTES...
 *
 * For each size a row of a table: microseconds of a call of the library and of one as the program
 * makes it, on the slowest rank, each the best of 201 loops of 2 ms, and their ratio. The best ones
 * are those that other work on the cores disturbs least. Numbers are uniform between -1 and 1,
 * other ones on each rank. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "past_preload.h"
#include "statistics.h"

#ifndef LOOPS
#define LOOPS 201
#endif
enum { WARM = 20, MOST_CALLS = 2000 };
static const double LOOP_SECONDS = 2e-3;

typedef int reduce_all(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
static reduce_all *past;
static double *from, *to;
static int rank, n, calls;

/* Seconds of a loop of calls on the slowest rank. */
static double seconds(reduce_all *call) {
    double took, most;
    PMPI_Barrier(MPI_COMM_WORLD);
    took = -MPI_Wtime();
    for (int i = 0; i < calls; ++i) call(from, to, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    took += MPI_Wtime();
    past(&took, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}
static double time_of(const void *call) { return seconds(*(reduce_all *const *)call) / calls; }

static void measure(void) {
    reduce_all *const called = MPI_Allreduce;
    double times_past[LOOPS], times_called[LOOPS];
    calls = 10;
    const double fit = LOOP_SECONDS / time_of(&called);
    calls = fit < 2 ? 2 : fit > MOST_CALLS ? MOST_CALLS : (int)fit;
    MPI_Bcast(&calls, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int k = 0; k < WARM; ++k) time_of(&past), time_of(&called);
    in_turns(LOOPS, time_of, &past, &called, times_past, times_called);
    qsort(times_past, LOOPS, sizeof *times_past, ascending);
    qsort(times_called, LOOPS, sizeof *times_called, ascending);
    if (rank == 0)
        printf("| %zu | %.2f | %.2f | %.2f |\n", (size_t)n * sizeof *from, times_past[0] * 1e6,
               times_called[0] * 1e6, times_called[0] / times_past[0]);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *(void **)&past = past_preload("PMPI_Allreduce");
    srand48(rank + 1);
    for (int k = 1; k < argc; ++k) {
        const long bytes = atol(argv[k]);
        if (bytes < 8 || bytes % 8 || bytes > 1L << 30) {
            fprintf(stderr, "sums: '%s': a multiple of 8 up to 2^30\n", argv[k]);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        n = (int)(bytes / 8);
        from = malloc((size_t)bytes);
        to = malloc((size_t)bytes);
        if (!from || !to) MPI_Abort(MPI_COMM_WORLD, 1);
        for (int i = 0; i < n; ++i) from[i] = 2 * drand48() - 1;
        measure();
        free(from);
        free(to);
    }
    MPI_Finalize();
    return 0;
}
