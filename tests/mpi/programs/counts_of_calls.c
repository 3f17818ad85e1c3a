/* A library to preload: rank 0 writes the send counts of every MPI_Alltoallv, one line per call. */
#include <mpi.h>
#include <stdio.h>

int MPI_Alltoallv(const void *send, const int *counts, const int *at, MPI_Datatype type, void *recv,
                  const int *recv_counts, const int *recv_at, MPI_Datatype recv_type,
                  MPI_Comm comm) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank == 0) {
        fputs("counts", stderr);
        for (int r = 0; r < ranks; ++r) fprintf(stderr, " %d", counts[r]);
        fputs("\n", stderr);
    }
    return PMPI_Alltoallv(send, counts, at, type, recv, recv_counts, recv_at, recv_type, comm);
}
