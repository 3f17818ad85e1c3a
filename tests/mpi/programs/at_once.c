/* Two threads of each rank that are in calls of one communicator at once, which MPI forbids.
 *
 * hopbine serves them one after the other: all calls are alike, so that any order gives the sums.
 * Prints "N passed, M failed" on rank 0. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 200, CALLS = 3, INTS = 100 };

static pthread_barrier_t both;

/* Sums on a communicator that nobody has called before. Returns whether one is wrong. */
static void *sum(void *of) {
    const MPI_Comm comm = *(MPI_Comm *)of;
    int p, in[INTS], out[INTS];
    long bad = 0;
    MPI_Comm_size(comm, &p);
    pthread_barrier_wait(&both);
    for (int call = 0; call < CALLS; ++call) {
        for (int i = 0; i < INTS; ++i) in[i] = i;
        MPI_Allreduce(in, out, INTS, MPI_INT, MPI_SUM, comm);
        for (int i = 0; i < INTS; ++i) bad += out[i] != p * i;
    }
    return (void *)bad;
}

int main(int argc, char **argv) {
    int provided, rank, failed = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_MULTIPLE) {
        if (rank == 0) printf("no threads\n");
        return MPI_Finalize();
    }
    pthread_barrier_init(&both, NULL, 2);
    for (int round = 0; round < ROUNDS; ++round) {
        MPI_Comm comm;
        pthread_t other;
        void *bad;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        pthread_create(&other, NULL, sum, &comm);
        failed += sum(&comm) != NULL;
        pthread_join(other, &bad);
        failed += bad != NULL;
        MPI_Comm_free(&comm);
    }
    PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", ROUNDS - failed, failed);
    MPI_Finalize();
    return failed > 0;
}
