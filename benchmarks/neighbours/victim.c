/* A job whose messages cross links that another job loads: how long they take.
 *
 *   victim exchange|allreduce BYTES BEGIN SECONDS
 *
 * exchange   ranks r and r + p/2 send BYTES to each other, over and over
 * allreduce  all ranks add up BYTES of floats, over and over
 * BEGIN      of the measurement, seconds of the real clock
 * SECONDS    for which new messages begin
 *
 * Tells the mean seconds of an exchange or call over all ranks, and how many there were. */
#include <mpi.h>
#include <string.h>

#include "pace.h"

struct job {
    int rank, ranks, bytes;
    char *sent, *received;
};

static void exchange(const struct job *j) {
    const int half = j->ranks / 2, peer = j->rank < half ? j->rank + half : j->rank - half;
    MPI_Sendrecv(j->sent, j->bytes, MPI_CHAR, peer, 0, j->received, j->bytes, MPI_CHAR, peer, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void add_up(const struct job *j) {
    MPI_Allreduce(j->sent, j->received, j->bytes / (int)sizeof(float), MPI_FLOAT, MPI_SUM,
                  MPI_COMM_WORLD);
}

/* Whether rank 0's time is over: all ranks of a collective stop after the same call. Ranks of an
 * exchange ask their peer with it, in the first byte. */
static int goes_on(struct job *j, int alone, double end) {
    const char mine = seconds_now() < end;
    if (!alone) {
        char all = mine;
        MPI_Bcast(&all, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
        return all;
    }
    const int go = j->sent[0] && j->received[0];
    j->sent[0] = mine;
    return go;
}

int main(int argc, char **argv) {
    const int pairs = argc == 5 && !strcmp(argv[1], "exchange");
    if (argc != 5 || (!pairs && strcmp(argv[1], "allreduce") != 0)) {
        fprintf(stderr, "usage: victim exchange|allreduce BYTES BEGIN SECONDS\n");
        return 2;
    }
    struct job j = {.bytes = (int)positive("BYTES", argv[2])};
    const double begin = positive("BEGIN", argv[3]), end = begin + positive("SECONDS", argv[4]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j.ranks);
    j.sent = calloc(1, (size_t)j.bytes);
    j.received = calloc(1, (size_t)j.bytes);
    if (!j.sent || !j.received || (pairs && j.ranks % 2)) {
        fprintf(stderr, "victim: no memory for %d bytes, or an odd number of ranks\n", j.bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    j.sent[0] = j.received[0] = 1;
    pairs ? exchange(&j) : add_up(&j);
    wait_until(begin);
    double sums[2] = {0, 0}; /* seconds, number */
    while (goes_on(&j, pairs, end)) {
        const double from = MPI_Wtime();
        pairs ? exchange(&j) : add_up(&j);
        sums[0] += MPI_Wtime() - from;
        sums[1] += 1;
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!j.rank) printf("victim number %.0f seconds %.9f\n", sums[1], sums[0] / sums[1]);
    free(j.sent);
    free(j.received);
    MPI_Finalize();
    return 0;
}
