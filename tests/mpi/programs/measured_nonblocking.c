/* Nonblocking and persistent calls after blocking ones of their kind, which are measured meanwhile.
 *
 *   measured_nonblocking CALLS
 *
 * CALLS blocking calls of each kind, then nonblocking ones, some rounds. Even ranks begin a
 * nonblocking call before blocking ones on a duplicate of the communicator, odd ranks after them:
 * what those have measured is known to the ones and not to the others. Prints "N passed, M failed"
 * on rank 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 3000, ROUNDS = 12, BETWEEN = 40 };
static int rank, p, passed, failed;
static int sent[COUNT], got[COUNT], other[COUNT];

static void sum(MPI_Comm comm, int calls) {
    for (int k = 0; k < calls; ++k) MPI_Allreduce(sent, other, COUNT, MPI_INT, MPI_SUM, comm);
}

static void check(const int *of, int factor, int offset) {
    int wrong = 0, any = 0;
    for (int i = 0; i < COUNT; ++i) wrong |= of[i] != factor * i + offset;
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) ++*(any ? &failed : &passed);
}

/* Starts a persistent sum twice. */
static void restart(MPI_Comm comm) {
#if MPI_VERSION >= 4
    MPI_Request request;
    MPI_Allreduce_init(sent, got, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < COUNT; ++i) got[i] = 0;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(got, p, p * (p - 1) / 2);
    }
    MPI_Request_free(&request);
#else
    (void)comm;
#endif
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const int calls = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Comm twin;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    for (int round = 0; round < ROUNDS; ++round) {
        MPI_Request request;
        for (int i = 0; i < COUNT; ++i) sent[i] = i + rank;
        sum(MPI_COMM_WORLD, calls / ROUNDS);
        for (int i = 0; i < COUNT; ++i) got[i] = other[i] = 0;
        if (rank % 2) sum(twin, BETWEEN);
        MPI_Iallreduce(sent, got, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        if (rank % 2 == 0) sum(twin, BETWEEN);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(got, p, p * (p - 1) / 2);
        check(other, p, p * (p - 1) / 2);
        restart(MPI_COMM_WORLD);
        const int root = round % p;
        for (int k = 0; k < calls / ROUNDS; ++k) MPI_Bcast(sent, COUNT, MPI_INT, root, twin);
        check(sent, 1, root);
        for (int i = 0; i < COUNT; ++i) sent[i] = i + rank;
        MPI_Ibcast(sent, COUNT, MPI_INT, root, twin, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(sent, 1, root);
        MPI_Ibarrier(twin, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&twin);
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    MPI_Finalize();
    return failed > 0;
}
