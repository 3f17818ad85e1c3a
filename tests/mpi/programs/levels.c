/* The level of thread support that a program sees.
 *
 *   levels [LEVEL]   MPI_Init_thread with LEVEL: single, funneled, serialized or multiple; without
 *                    one MPI_Init
 *
 * Prints "N passed, M failed" on rank 0: what MPI_Init_thread and MPI_Query_thread say is what the
 * program has asked for, and calls are answered. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    static const char *const names[] = {"single", "funneled", "serialized", "multiple"};
    const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                          MPI_THREAD_MULTIPLE};
    int level = MPI_THREAD_SINGLE, provided = -1, seen = -1, rank, p, sum[2] = {0, 0}, wrong[3];
    for (int k = 0; k < 4 && argc > 1; ++k)
        if (!strcmp(argv[1], names[k])) level = levels[k];
    if (argc > 1)
        MPI_Init_thread(&argc, &argv, level, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Query_thread(&seen);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Request request;
    MPI_Iallreduce(&rank, &sum[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Allreduce(&rank, &sum[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const int here[3] = {argc > 1 && provided != level, seen != level,
                         sum[0] != p * (p - 1) / 2 || sum[1] != sum[0]};
    MPI_Allreduce(here, wrong, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const int failed = !!wrong[0] + !!wrong[1] + !!wrong[2];
    if (rank == 0) printf("%d passed, %d failed\n", 3 - failed, failed);
    MPI_Finalize();
    return failed > 0;
}
