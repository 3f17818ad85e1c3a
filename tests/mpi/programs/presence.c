/* Allreduces and allgathers with verified results. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
    int rank, ranks, sum = 0, wrong = 0;
    double all[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int call = 0; call < 20; ++call) {
        const double mine = rank + call;
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allgather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        wrong += sum != ranks * (ranks - 1) / 2;
        for (int r = 0; r < ranks; ++r) wrong += all[r] != r + call;
    }
    printf("%d wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
