/* Nanoseconds of an MPI_Wait for a request that is complete, on rank 0: medians of loops that call
 * MPI_Wait and of loops, in turns with them, that call the MPI library's own function past any
 * preload; and the median of the differences.
 *
 *   mpicc -O2 -o waits benchmarks/waits.c -ldl
 *   mpiexec -n 2 hopbine run [--stats FILE] [--progress thread] ./waits */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "past_preload.h"
#include "statistics.h"

enum { CALLS = 20000, SAMPLES = 401 };
typedef int (*wait)(MPI_Request *, MPI_Status *);

static double time_of(const void *what) {
    const wait function = *(const wait *)what;
    const double begin = MPI_Wtime();
    for (int i = 0; i < CALLS; ++i) {
        MPI_Request request = MPI_REQUEST_NULL;
        function(&request, MPI_STATUS_IGNORE);
    }
    return (MPI_Wtime() - begin) / CALLS * 1e9;
}

int main(int argc, char **argv) {
    int rank;
    double called[SAMPLES], past[SAMPLES], more[SAMPLES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wait library;
    *(void **)&library = past_preload("PMPI_Wait");
    const wait intercepted = MPI_Wait;
    time_of(&intercepted);
    in_turns(SAMPLES, time_of, &library, &intercepted, past, called);
    for (int s = 0; s < SAMPLES; ++s) more[s] = called[s] - past[s];
    qsort(called, SAMPLES, sizeof *called, ascending);
    qsort(past, SAMPLES, sizeof *past, ascending);
    qsort(more, SAMPLES, sizeof *more, ascending);
    if (rank == 0)
        printf("%.2f %.2f %.2f\n", called[SAMPLES / 2], past[SAMPLES / 2], more[SAMPLES / 2]);
    MPI_Finalize();
    return 0;
}
