/* Calls ten allreduces and an allgather; rank 0 prints the results. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, p, sum = 0, one = 1, all[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int i = 0; i < 10; ++i) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %d last %d\n", sum, all[p - 1]);
    MPI_Finalize();
    return 0;
}
