/* Collectives on a communicator whose ranks are threads: three of each process. */
#include <mpi.h>
#include <stdio.h>
#if defined MPICH_NUMVERSION && MPICH_NUMVERSION >= 40100000
#include <pthread.h>

enum { THREADS = 3, NUMBERS = 2000, CALLS = 20 };
static MPI_Comm threads;

static void *rank_of_thread(void *unused) {
    static _Thread_local double mine[NUMBERS], all[NUMBERS];
    int rank, ranks, wrong = 0, any;
    MPIX_Threadcomm_start(threads);
    MPI_Comm_rank(threads, &rank);
    MPI_Comm_size(threads, &ranks);
    for (int call = 0; call < CALLS; ++call) {
        const int n = call % 2 ? NUMBERS : 1;
        for (int i = 0; i < n; ++i) mine[i] = rank + i;
        MPI_Allreduce(mine, all, n, MPI_DOUBLE, MPI_SUM, threads);
        for (int i = 0; i < n; ++i) wrong += all[i] != ranks * (ranks - 1) / 2 + i * ranks;
        MPI_Bcast(mine, n, MPI_DOUBLE, 0, threads); /* MPICH 5.0 refuses roots above processes */
        wrong += mine[0] != 0;
        MPI_Barrier(threads);
    }
    MPI_Reduce(&wrong, &any, 1, MPI_INT, MPI_SUM, 0, threads);
    if (rank == 0) printf("%d ranks, %d wrong\n", ranks, any);
    MPIX_Threadcomm_finish(threads);
    return unused;
}

int main(int argc, char **argv) {
    int level;
    pthread_t of[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPIX_Threadcomm_init(MPI_COMM_WORLD, THREADS, &threads);
    for (int t = 0; t < THREADS; ++t) pthread_create(&of[t], NULL, rank_of_thread, NULL);
    for (int t = 0; t < THREADS; ++t) pthread_join(of[t], NULL);
    MPIX_Threadcomm_free(&threads);
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    puts("no threads as ranks");
    return 0;
}
#endif
