/* MPI_Barrier as a program calls it, and the MPI library's own past any preload, in turns within
 * one job.
 *
 *   mpicc -O2 -o barrier benchmarks/barrier.c -ldl
 *   mpiexec -n 16 hopbine run ./barrier
 *
 * A row of a table: microseconds of the library and of hopbine on the slowest rank, medians of 31
 * loops of each; median and quartiles of the ratios of neighbouring loops; what served. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "past_preload.h"
#include "statistics.h"

enum { LOOPS = 31, CALLS = 20, LEARNING = 400 };

typedef __typeof__(&MPI_Barrier) Barrier;

/* Seconds of a call on the slowest rank. */
static double loop(Barrier barrier, int calls) {
    double took = -MPI_Wtime(), most = 0;
    for (int i = 0; i < calls; ++i) barrier(MPI_COMM_WORLD);
    took = (took + MPI_Wtime()) / calls;
    PMPI_Allreduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static double time_of(const void *barrier) { return loop(*(const Barrier *)barrier, CALLS); }

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *(*served)(void) = NULL;
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    if (!served) {
        fprintf(stderr, "usage: hopbine run ./barrier\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    Barrier own;
    *(void **)&own = past_preload("PMPI_Barrier");
    double library[LOOPS], hopbine[LOOPS], ratio[LOOPS];
    loop(MPI_Barrier, LEARNING);
    loop(own, CALLS);
    const Barrier intercepted = MPI_Barrier;
    in_turns(LOOPS, time_of, &own, &intercepted, library, hopbine);
    for (int k = 0; k < LOOPS; ++k) ratio[k] = hopbine[k] / library[k];
    MPI_Barrier(MPI_COMM_WORLD);
    qsort(library, LOOPS, sizeof *library, ascending);
    qsort(hopbine, LOOPS, sizeof *hopbine, ascending);
    qsort(ratio, LOOPS, sizeof *ratio, ascending);
    if (rank == 0)
        printf("| %.1f | %.1f | %.3f (%.3f..%.3f) | %s |\n", library[LOOPS / 2] * 1e6,
               hopbine[LOOPS / 2] * 1e6, ratio[LOOPS / 2], ratio[LOOPS / 4], ratio[LOOPS * 3 / 4],
               served());
    MPI_Finalize();
    return 0;
}
