/* Nonblocking calls of a communicator that the MPI library serves, and what ends that: other
 * algorithms, and another communicator in its place. Run without a selection on one node. Prints
 * "N passed, M failed" on rank 0. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { TIMES = 5, MOST = 16, LENGTH = 3000 }; /* too long for shared memory */
static int rank, size, passed, failed;
static const char *(*served)(void);

static void expect(int right) { ++*(right ? &passed : &failed); }

/* Gathers, with the blocking and the nonblocking form of another collective between. */
static void gathers_are_served(MPI_Comm comm, int by_library) {
    for (int i = 0; i < TIMES; ++i) {
        MPI_Request request;
        static int mine[LENGTH], all[MOST * LENGTH];
        int right = 1;
        for (int k = 0; k < LENGTH; ++k) mine[k] = rank + i + k;
        MPI_Iallgather(mine, LENGTH, MPI_INT, all, LENGTH, MPI_INT, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int k = 0; k < size * LENGTH; ++k) right &= all[k] == k / LENGTH + i + k % LENGTH;
        expect(right);
        expect(by_library == !strcmp(served(), "mpi"));
        MPI_Ibarrier(comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(!strcmp(served(), "mpi"));
        MPI_Barrier(comm);
    }
}

int main(int argc, char **argv) {
    int (*select)(const char *);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    *(void **)&select = dlsym(RTLD_DEFAULT, "hopbine_select");
    for (int i = 0; i < TIMES; ++i) {
        MPI_Comm copy; /* its handle may be that of the copy before */
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        gathers_are_served(copy, 1);
        gathers_are_served(MPI_COMM_WORLD, 1);
        select("allgather=recursive_multiplying,barrier=mpi");
        if (i % 2) MPI_Comm_free(&copy), MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        gathers_are_served(copy, 0);
        gathers_are_served(MPI_COMM_WORLD, 0);
        select(NULL);
        if (i % 2) MPI_Comm_free(&copy), MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        gathers_are_served(copy, 1);
        MPI_Comm_free(&copy);
    }
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    MPI_Finalize();
    return failed > 0;
}
