#include "probe.h"

#include <mpi.h>
#include <stdlib.h>

#include "patience.h"

enum { SMALL = 8, LARGE = 1 << 20, MOST_PEERS = 8, TIMES = 21 };

static int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double middle(double *times) {
    qsort(times, TIMES, sizeof *times, ascending);
    return times[TIMES / 2];
}

/* Median time of an exchange: rank 0 sends `bytes` to the last `peers` ranks and receives as many
 * from each. */
static double there_and_back(char *buffer, int bytes, int peers, int rank, int ranks) {
    MPI_Request all[2 * MOST_PEERS];
    double times[TIMES];
    for (int i = 0; i < TIMES; ++i) {
        double begin = MPI_Wtime();
        if (rank == 0) {
            for (int k = 0; k < peers; ++k)
                MPI_Irecv(buffer + (size_t)k * SMALL, bytes, MPI_CHAR, ranks - 1 - k, 0,
                          MPI_COMM_WORLD, &all[k]);
            for (int k = 0; k < peers; ++k)
                MPI_Isend(buffer + LARGE, bytes, MPI_CHAR, ranks - 1 - k, 0, MPI_COMM_WORLD,
                          &all[peers + k]);
            MPI_Waitall(2 * peers, all, MPI_STATUSES_IGNORE);
        } else if (rank >= ranks - peers) {
            MPI_Recv(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
        times[i] = MPI_Wtime() - begin;
    }
    MPI_Request barrier;
    PMPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    wait_patiently(&barrier);
    return middle(times);
}

static double summing(void *buffer) {
    double times[TIMES];
    for (int i = 0; i < TIMES; ++i) {
        double begin = MPI_Wtime();
        MPI_Reduce_local(buffer, (char *)buffer + LARGE, LARGE / 4, MPI_FLOAT, MPI_SUM);
        times[i] = MPI_Wtime() - begin;
    }
    return middle(times) / LARGE;
}

struct probe probe(void) {
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int peers = ranks - 1 < MOST_PEERS ? ranks - 1 : MOST_PEERS;
    char *buffer = calloc(2, LARGE);
    if (!buffer) MPI_Abort(MPI_COMM_WORLD, 3);
    double one = there_and_back(buffer, SMALL, 1, rank, ranks),
           large = there_and_back(buffer, LARGE, 1, rank, ranks);
    double several = there_and_back(buffer, SMALL, peers, rank, ranks);
    double beta = (large - one) / 2 / (LARGE - SMALL),
           overhead = peers > 1 ? (several - one) / 2 / (peers - 1) : 0;
    struct probe p = {one / 2, beta > 0 ? beta : 0, summing(buffer), overhead > 0 ? overhead : 0};
    free(buffer);
    return p;
}
