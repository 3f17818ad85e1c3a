/* Makes one call for each argument COLLECTIVE:BYTES on MPI_COMM_WORLD. Bytes are of the vector, or
 * of a block times the number of ranks. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void call(const char *collective, size_t bytes, int p, char *in, char *out) {
    const int block = (int)(bytes / p), all = (int)(bytes / sizeof(int));
    int each[p], lengths[p], places[p];
    for (int i = 0; i < p; ++i)
        each[i] = block / (int)sizeof(int), lengths[i] = block, places[i] = i * block;
    if (!strcmp(collective, "bcast"))
        MPI_Bcast(in, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (!strcmp(collective, "reduce"))
        MPI_Reduce(in, out, all, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    else if (!strcmp(collective, "allreduce"))
        MPI_Allreduce(in, out, all, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (!strcmp(collective, "reduce_scatter"))
        MPI_Reduce_scatter(in, out, each, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (!strcmp(collective, "reduce_scatter_block"))
        MPI_Reduce_scatter_block(in, out, each[0], MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (!strcmp(collective, "gather"))
        MPI_Gather(in, block, MPI_BYTE, out, block, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (!strcmp(collective, "scatter"))
        MPI_Scatter(in, block, MPI_BYTE, out, block, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (!strcmp(collective, "allgather"))
        MPI_Allgather(in, block, MPI_BYTE, out, block, MPI_BYTE, MPI_COMM_WORLD);
    else if (!strcmp(collective, "alltoall"))
        MPI_Alltoall(in, block, MPI_BYTE, out, block, MPI_BYTE, MPI_COMM_WORLD);
    else if (!strcmp(collective, "alltoallv"))
        MPI_Alltoallv(in, lengths, places, MPI_BYTE, out, lengths, places, MPI_BYTE,
                      MPI_COMM_WORLD);
    else if (!strcmp(collective, "scan"))
        MPI_Scan(in, out, all, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (!strcmp(collective, "exscan"))
        MPI_Exscan(in, out, all, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (!strcmp(collective, "barrier"))
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Abort(MPI_COMM_WORLD, 2);
}

int main(int argc, char **argv) {
    int p;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int i = 1; i < argc; ++i) {
        char *colon = strchr(argv[i], ':');
        const size_t bytes = strtoul(colon + 1, NULL, 10);
        char *in = calloc(1, bytes + 1), *out = calloc(1, bytes + 1);
        *colon = 0;
        call(argv[i], bytes, p, in, out);
        free(in);
        free(out);
    }
    MPI_Finalize();
    return 0;
}
