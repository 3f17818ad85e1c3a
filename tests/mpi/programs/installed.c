/* A user's program: sums over the ranks, and walks a schedule by the C API. */
#include <hopbine/hopbine.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, ranks, sum;
    hopbine_schedule *schedule;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (hopbine_schedule_create("bcast", "bine_small", 16, 0, NULL, 0, &schedule) != HOPBINE_OK) {
        fprintf(stderr, "%s\n", hopbine_last_error());
        return 1;
    }
    if (!rank) printf("sum %d of %d, %d steps\n", sum, ranks, hopbine_schedule_steps(schedule));
    hopbine_schedule_free(schedule);
    MPI_Finalize();
    return 0;
}
