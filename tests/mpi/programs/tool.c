// A profiling tool: counts calls by PMPI and prints the counts when the program ends.
#include <mpi.h>
#include <stdio.h>

static int bcasts, allreduces, allgathers;

int MPI_Bcast(void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm) {
    ++bcasts;
    return PMPI_Bcast(buffer, n, type, root, comm);
}

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    ++allreduces;
    return PMPI_Allreduce(in, out, n, type, op, comm);
}

int MPI_Allgather(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype of,
                  MPI_Comm comm) {
    ++allgathers;
    return PMPI_Allgather(in, n, type, out, m, of, comm);
}

int MPI_Finalize(void) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("tool: bcast %d allreduce %d allgather %d\n", bcasts, allreduces, allgathers);
    return PMPI_Finalize();
}
