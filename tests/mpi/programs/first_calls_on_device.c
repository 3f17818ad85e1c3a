/* Calls on communicators that the program makes and frees, on host memory or that of a fake device
 * (tests/device/fake), as each rank draws it. The MPI library, which takes no device memory, serves
 * the first calls of such a communicator; HOPBINE_TEST_DEVICE names the library to load.
 *
 *   first_calls_on_device blocking|nonblocking
 *
 * Prints "N passed, M failed" on rank 0. */
#define _GNU_SOURCE
#include <mpi.h>

#include "drawn_memory.h"

enum { N = 1000, COMMUNICATORS = 12, CALLS = 50 };
static int rank, p, passed, failed;

static void one_call(MPI_Comm comm, int turn, int later) {
    static int in[N], out[N];
    MPI_Request request = MPI_REQUEST_NULL;
    for (int i = 0; i < N; ++i) in[i] = i + rank + turn, out[i] = -1;
    char *const s = drawn_memory(0, (char *)in, sizeof in), *const r = drawn_memory(1, (char *)out,
                                                                                    sizeof out);
    if (later)
        MPI_Iallreduce(s, r, N, MPI_INT, MPI_SUM, comm, &request);
    else
        MPI_Allreduce(s, r, N, MPI_INT, MPI_SUM, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    take_back(1, (char *)out, sizeof out);
    int wrong = 0;
    for (int i = 0; i < N; ++i) wrong += out[i] != p * (i + turn) + p * (p - 1) / 2;
    *(wrong ? &failed : &passed) += 1;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    load_device(rank, N * sizeof(int));
    const int nonblocking = !strcmp(argv[1], "nonblocking");
    for (int c = 0; c < COMMUNICATORS; ++c) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int i = 0; i < CALLS; ++i) one_call(comm, i, nonblocking && c % 2 && i % 3 == 0);
        MPI_Comm_free(&comm);
    }
    int sum[2], mine[2] = {passed, failed};
    MPI_Reduce(mine, sum, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", sum[0], sum[1]);
    MPI_Finalize();
    return failed > 0;
}
