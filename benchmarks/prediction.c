/* Collectives of one size after another, as a program that scales weakly calls them: a vector, and
 * blocks of an all-to-all, have the same bytes on a rank whatever the number of ranks.
 *
 *   mpiexec -n 8 ./prediction ROUNDS
 *
 * Ranks begin each call together, so that its time is its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { VECTOR = 1 << 18, BLOCK = 1 << 14, NUMBERS = VECTOR / 4, PART = BLOCK / 4, KINDS = 11 };

#define FLOAT MPI_FLOAT
#define ALL MPI_COMM_WORLD

static void call(int kind, float *a, float *b, int ranks) {
    const int share = NUMBERS / ranks;
    switch (kind) {
    case 0: MPI_Bcast(a, NUMBERS, FLOAT, 0, ALL); break;
    case 1: MPI_Reduce(a, b, NUMBERS, FLOAT, MPI_SUM, 0, ALL); break;
    case 2: MPI_Allreduce(a, b, NUMBERS, FLOAT, MPI_SUM, ALL); break;
    case 3: MPI_Reduce_scatter_block(a, b, PART, FLOAT, MPI_SUM, ALL); break;
    case 4: MPI_Allgather(a, PART, FLOAT, b, PART, FLOAT, ALL); break;
    case 5: MPI_Gather(a, PART, FLOAT, b, PART, FLOAT, 0, ALL); break;
    case 6: MPI_Scatter(a, PART, FLOAT, b, PART, FLOAT, 0, ALL); break;
    case 7: MPI_Alltoall(a, share, FLOAT, b, share, FLOAT, ALL); break;
    case 8: MPI_Allreduce(a, b, 2, FLOAT, MPI_SUM, ALL); break;
    case 9: MPI_Barrier(ALL); break;
    default: MPI_Bcast(a, 1024, FLOAT, 0, ALL); break;
    }
}

/* A barrier that no statistics count. */
static void meet(int rank, int ranks) {
    for (int far = 1; far < ranks; far *= 2)
        MPI_Sendrecv(NULL, 0, FLOAT, (rank + far) % ranks, 0, NULL, 0, FLOAT,
                     (rank - far + ranks) % ranks, 0, ALL, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(ALL, &rank);
    MPI_Comm_size(ALL, &ranks);
    const int rounds = argc > 1 ? atoi(argv[1]) : 0;
    const size_t most = (size_t)BLOCK * (size_t)ranks + VECTOR;
    float *a = calloc(most, 1), *b = calloc(most, 1);
    if (!a || !b) {
        fprintf(stderr, "prediction: no memory for %zu bytes\n", 2 * most);
        MPI_Abort(ALL, 1);
    }
    for (int kind = 0; kind < KINDS; ++kind)
        for (int round = 0; round < rounds; ++round) {
            meet(rank, ranks);
            call(kind, a, b, ranks);
        }
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}
