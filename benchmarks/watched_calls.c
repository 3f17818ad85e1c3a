/* What it takes to record a call (docs/watch.md): MPI_Allreduce of 8 B and MPI_Barrier on
 * MPI_COMM_SELF, where the MPI library waits for nobody. And what it takes to compare calls: the
 * same on MPI_COMM_WORLD.
 *
 *   mpicc -O2 -o watched_calls benchmarks/watched_calls.c
 *   mpiexec -n 2 hopbine run --watch 5min ./watched_calls   # and with --watch none, in turns
 *
 * Nanoseconds of a call, the best of 20,000 loops of 200: those that other work on the core
 * disturbs least. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

#ifndef LOOPS
#define LOOPS 20000
#endif
enum { CALLS = 200 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static MPI_Comm comm;
static void allreduce(void) {
    double one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
}
static void barrier(void) { MPI_Barrier(comm); }

static double least(void (*call)(void), MPI_Comm of, int loops) {
    double best = 1e9;
    comm = of;
    for (int loop = 0; loop < loops; ++loop) {
        const double began = now();
        for (int i = 0; i < CALLS; ++i) call();
        const double took = (now() - began) / CALLS;
        if (took < best) best = took;
    }
    return best;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("alone: allreduce %.2f ns, barrier %.2f ns\n",
               least(allreduce, MPI_COMM_SELF, LOOPS), least(barrier, MPI_COMM_SELF, LOOPS));
    MPI_Barrier(MPI_COMM_WORLD);
    const double sums = least(allreduce, MPI_COMM_WORLD, LOOPS / 20),
                 barriers = least(barrier, MPI_COMM_WORLD, LOOPS / 20);
    if (rank == 0) printf("all ranks: allreduce %.2f ns, barrier %.2f ns\n", sums, barriers);
    MPI_Finalize();
    return 0;
}
