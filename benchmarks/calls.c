/* Microseconds of each blocking collective, and of MPI_Iallreduce with MPI_Wait, with equal blocks
 * of N bytes: the best of some loops of calls on rank 0, a line each. See builds.py.
 *
 *   mpiexec -n 2 ./calls 8 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int bytes;
static char *in, *out;

static int allreduce(void) {
    return MPI_Allreduce(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static int iallreduce(void) {
    MPI_Request request;
    MPI_Iallreduce(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static int bcast(void) { return MPI_Bcast(in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }
static int reduce(void) {
    return MPI_Reduce(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}
static int allgather(void) {
    return MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
}
static int alltoall(void) {
    return MPI_Alltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
}
static int reduce_scatter(void) {
    return MPI_Reduce_scatter_block(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static int gather(void) {
    return MPI_Gather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static int scatter(void) {
    return MPI_Scatter(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static int scan(void) { return MPI_Scan(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
static int barrier(void) { return MPI_Barrier(MPI_COMM_WORLD); }

static const struct {
    const char *name;
    int (*call)(void);
} all[] = {{"allreduce", allreduce}, {"iallreduce", iallreduce}, {"bcast", bcast},
           {"reduce", reduce},       {"allgather", allgather},   {"alltoall", alltoall},
           {"gather", gather},       {"scatter", scatter},       {"reduce_scatter", reduce_scatter},
           {"scan", scan},           {"barrier", barrier}};

/* Ranks start a loop together and end it when the last one has. */
static double loop(int (*call)(void), int calls) {
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) call();
    PMPI_Barrier(MPI_COMM_WORLD);
    return (MPI_Wtime() - begin) / calls * 1e6;
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bytes = argc > 1 ? atoi(argv[1]) : 8;
    if (bytes < 8 || bytes % 8 || bytes > 1 << 30) {
        fprintf(stderr, "calls: '%s': a multiple of 8 up to 2^30\n", argv[1]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    in = calloc((size_t)ranks, (size_t)bytes);
    out = calloc((size_t)ranks, (size_t)bytes);
    const int calls = bytes < 65536 ? 2000 : 6, loops = bytes < 65536 ? 25 : 15;
    for (size_t c = 0; c < sizeof all / sizeof *all; ++c) {
        if (all[c].call == barrier && bytes > 8) continue;
        double best = loop(all[c].call, calls);
        for (int k = 0; k < loops; ++k) {
            const double took = loop(all[c].call, calls);
            if (took < best) best = took;
        }
        if (rank == 0) printf("%s %.4f\n", all[c].name, best);
    }
    MPI_Finalize();
    return 0;
}
