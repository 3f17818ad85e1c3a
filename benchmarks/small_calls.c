/* Microseconds of an MPI_Allreduce of 8 bytes on rank 0: medians of loops that call MPI_Allreduce
 * and of loops, in turns with them, that call the MPI library's own function past any preload; and
 * the median of the differences. See small_calls.py. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "past_preload.h"
#include "statistics.h"

enum { CALLS = 500, SAMPLES = 401 };
typedef int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);

static double time_of(const void *what) {
    const allreduce function = *(const allreduce *)what;
    double in = 1, out;
    const double begin = MPI_Wtime();
    for (int i = 0; i < CALLS; ++i) function(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return (MPI_Wtime() - begin) / CALLS * 1e6;
}

int main(int argc, char **argv) {
    int rank;
    double called[SAMPLES], past[SAMPLES], more[SAMPLES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    allreduce library;
    *(void **)&library = past_preload("PMPI_Allreduce");
    const allreduce intercepted = MPI_Allreduce;
    time_of(&intercepted);
    in_turns(SAMPLES, time_of, &library, &intercepted, past, called);
    for (int s = 0; s < SAMPLES; ++s) more[s] = called[s] - past[s];
    qsort(called, SAMPLES, sizeof *called, ascending);
    qsort(past, SAMPLES, sizeof *past, ascending);
    qsort(more, SAMPLES, sizeof *more, ascending);
    if (rank == 0)
        printf("%.4f %.4f %.4f\n", called[SAMPLES / 2], past[SAMPLES / 2], more[SAMPLES / 2]);
    MPI_Finalize();
    return 0;
}
