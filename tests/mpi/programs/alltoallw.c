/* MPI_Alltoallw with doubles for odd ranks and ints for even ones: twice, and MPI_Ialltoallw.
 * Prints "N passed, M failed" on rank 0. */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 64, SLOT = sizeof(double) };

int main(int argc, char **argv) {
    static char in[MOST * SLOT], out[MOST * SLOT];
    int rank, p, right = 1, all, counts[MOST], sent_at[MOST], received_at[MOST];
    MPI_Datatype sent[MOST], received[MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int r = 0; r < p; ++r) {
        counts[r] = 1, sent_at[r] = received_at[r] = r * SLOT;
        sent[r] = r % 2 ? MPI_DOUBLE : MPI_INT;
        received[r] = rank % 2 ? MPI_DOUBLE : MPI_INT;
        if (r % 2)
            *(double *)&in[r * SLOT] = rank + r;
        else
            *(int *)&in[r * SLOT] = rank + r;
    }
    for (int call = 0; call < 3; ++call) {
        MPI_Request request = MPI_REQUEST_NULL;
        for (int i = 0; i < MOST * SLOT; ++i) out[i] = 0;
        if (call < 2)
            MPI_Alltoallw(in, counts, sent_at, sent, out, counts, received_at, received,
                          MPI_COMM_WORLD);
        else
            MPI_Ialltoallw(in, counts, sent_at, sent, out, counts, received_at, received,
                           MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int r = 0; r < p; ++r)
            right &=
                rank + r == (rank % 2 ? *(double *)&out[r * SLOT] : (double)*(int *)&out[r * SLOT]);
    }
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", all, !all);
    MPI_Finalize();
    return !all;
}
