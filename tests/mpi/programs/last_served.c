/* Who served the last call, told after a nonblocking one as well. For gather by the MPI library and
 * the rest by hopbine. Prints "N passed, M failed" on rank 0. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    int rank, passed = 0, failed = 0, mine = 1, sum, all[64];
    const char *(*served)(void);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    for (int i = 0; i < 20; ++i) {
        MPI_Request request;
        MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
        ++*(strcmp(served(), "mpi") ? &failed : &passed);
        if (i % 2) {
            MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        } else {
            MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        ++*(strcmp(served(), "mpi") ? &passed : &failed);
    }
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    MPI_Finalize();
    return failed > 0;
}
