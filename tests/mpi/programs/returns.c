/* A nonblocking call that waits for another rank returns without giving its core away: where ranks
 * share cores another process may keep it for long. Counts calls of sched_yield, which the MPI
 * library finds here. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long yields;

int sched_yield(void) {
    ++yields;
    return (int)syscall(SYS_sched_yield);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const MPI_Comm world = MPI_COMM_WORLD;
    const struct timespec late = {0, 20000000};
    int rank, number = 0;
    long started = 0, waited = 0, all[2];
    MPI_Comm_rank(world, &rank);
    for (int k = 0; k < 5; ++k) {
        MPI_Request request;
        MPI_Barrier(world);
        if (rank == 0) nanosleep(&late, NULL); /* the root: the others' message has not come */
        long before = yields;
        MPI_Ibcast(&number, 1, MPI_INT, 0, world, &request);
        if (k > 0) started += yields - before; /* at the first the ranks tell each other tags */
        before = yields;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        waited += yields - before;
    }
    MPI_Reduce((long[]){started, waited}, all, 2, MPI_LONG, MPI_SUM, 0, world);
    if (rank == 0) {
        const int starts = all[0] == 0, waits = all[1] > 0; /* as before the call */
        if (!starts) printf("%ld yields in MPI_Ibcast\n", all[0]);
        if (!waits) printf("no yield in MPI_Wait\n");
        printf("%d passed, %d failed\n", starts + waits, 2 - starts - waits);
    }
    MPI_Finalize();
    return 0;
}
