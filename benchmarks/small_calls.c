/* Microseconds of an MPI_Allreduce of 8 bytes: on rank 0 the least and the median of SAMPLES loops.
 * See small_calls.py. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 2000, SAMPLES = 101 };

static int ascending(const void *a, const void *b) {
    return *(const double *)a < *(const double *)b ? -1 : 1;
}

int main(int argc, char **argv) {
    int rank;
    double in = 1, out, times[SAMPLES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int s = 0; s < SAMPLES; ++s) {
        const double begin = MPI_Wtime();
        for (int i = 0; i < CALLS; ++i)
            MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        times[s] = (MPI_Wtime() - begin) / CALLS * 1e6;
    }
    qsort(times, SAMPLES, sizeof *times, ascending);
    if (rank == 0) printf("%.4f %.4f\n", times[0], times[SAMPLES / 2]);
    MPI_Finalize();
    return 0;
}
