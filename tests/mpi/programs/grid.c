/* Sums on rows and columns of a grid of ranks, and on all ranks in the opposite order. The argument
 * is the width of the grid. */
#include <mpi.h>
#include <stdlib.h>

enum { N = 1000 };

static void sums(int color, int key, int calls) {
    double from[N] = {0}, to[N];
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
    for (int i = 0; i < calls; ++i) MPI_Allreduce(from, to, N, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    int rank, width = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sums(rank / width, rank, 5);
    sums(rank % width, rank, 3);
    sums(0, -rank, 2);
    MPI_Finalize();
    return 0;
}
