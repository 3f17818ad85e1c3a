/* Allreduces with computation between start and wait, by all functions that wait.
 *
 *   overlap [MILLISECONDS]   of computation in each, default 5
 *
 * Prints "N passed, M failed" on rank 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, WAYS = 4 };
static double in[N], out[N];

int main(int argc, char **argv) {
    int rank, p, which, n, passed = 0, some[1];
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int way = 0; way < WAYS; ++way) {
        int right = 1, all;
        for (int i = 0; i < N; ++i) in[i] = rank + i + way, out[i] = -1;
        MPI_Iallreduce(in, out, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);
        const double end = MPI_Wtime() + (argc > 1 ? atof(argv[1]) : 5) * 1e-3;
        while (MPI_Wtime() < end) continue;
        switch (way) {
        case 0: MPI_Wait(&r, MPI_STATUS_IGNORE); break;
        case 1: MPI_Waitall(1, &r, MPI_STATUSES_IGNORE); break;
        case 2: MPI_Waitany(1, &r, &which, MPI_STATUS_IGNORE); break;
        default: MPI_Waitsome(1, &r, &n, some, MPI_STATUSES_IGNORE);
        }
        for (int i = 0; i < N; ++i) right &= out[i] == p * (p - 1) / 2. + (double)p * (i + way);
        MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        passed += all;
    }
    if (rank == 0) printf("%d passed, %d failed\n", passed, WAYS - passed);
    MPI_Finalize();
    return passed < WAYS;
}
