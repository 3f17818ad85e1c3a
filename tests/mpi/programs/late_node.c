/* Ranks that compute for a time (argument 2, microseconds) before each of some allreduces (argument
 * 1); those of the second half of the ranks for some per cent longer (argument 3).
 * To compute is to sleep, so that ranks that share a core do not slow each other. With a fourth
 * argument the ranks meet in calls of all kinds. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static void sleep_for(long nanoseconds) {
    const struct timespec wait = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    nanosleep(&wait, NULL);
}

enum { MOST = 64 };

/* A call that all ranks leave together, one of several in turns; the last two follow others that
 * tell nothing. */
static void meet(int turn, int rank, int ranks) {
    int mine[MOST] = {0}, all[MOST], counts[MOST], places[MOST];
    for (int r = 0; r < ranks; ++r) counts[r] = 1, places[r] = r;
    switch (turn % 6) {
    case 0: MPI_Barrier(MPI_COMM_WORLD); break;
    case 1: MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD); break;
    case 2: MPI_Alltoall(mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD); break;
    case 3: MPI_Reduce_scatter(mine, all, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD); break;
    case 4:
        MPI_Bcast(mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Alltoallv(mine, counts, places, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
        break;
    default:
        MPI_Allreduce(mine, all, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* nobody has to wait */
        MPI_Allgatherv(&rank, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    int rank, ranks;
    prctl(PR_SET_TIMERSLACK, 1UL);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 4 || ranks > MOST) MPI_Abort(MPI_COMM_WORLD, 2);
    const long calls = atol(argv[1]), slower = rank >= ranks / 2 ? atol(argv[3]) : 0,
               compute = atol(argv[2]) * 10 * (100 + slower);
    double sum = rank, all;
    for (int i = 0; i < calls; ++i) {
        sleep_for(compute);
        if (argc > 4)
            meet(i, rank, ranks);
        else
            MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
