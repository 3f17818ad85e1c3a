// The program that the tool profiles: 3 broadcasts, 2 allreduces, 1 allgather of four ints per
// rank. Prints their results.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, p, n = 4, data[4] = {1, 2, 3, 4}, sum[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    int *all = malloc(sizeof(int) * (size_t)(n * p));
    for (int i = 0; i < 3; ++i) MPI_Bcast(data, n, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i) MPI_Allreduce(data, sum, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather(data, n, MPI_INT, all, n, MPI_INT, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %d last %d\n", sum[3], all[n * p - 1]);
    free(all);
    MPI_Finalize();
    return 0;
}
