/* Every collective at every size, one cell after the other: seconds of a call in the first calls of
 * a cell, in the next ones, and warm, on the slowest rank.
 *   cells [MOST_BYTES [LEARNING [WARM]]]
 * Vectors of 8 B to MOST_BYTES (262144) in steps of 8, those of a block only where every rank has
 * one; WARM calls (200) after LEARNING calls (1000). */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#include "collectives.h"
#include "report.h"

enum { FIRST = 20, NEXT = 200, MOST = 1 << 18, LEARNING = 1000, WARM = 200, STEP = 8 };

/* Calls in a loop; under a name other than NULL the seconds of one are told. */
static uint64_t loop(struct buffers *b, const struct call *c, const char *phase, int calls) {
    char name[64];
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) make_call(b, c);
    const double took = (MPI_Wtime() - begin) / calls;
    snprintf(name, sizeof name, "%s/%s/%d", phase ? phase : "", NAMES[c->collective], c->bytes);
    if (phase) tell("time", name, took);
    return add_answer(0, b, c, 1);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    struct call c = {.root = 0, .comm = MPI_COMM_WORLD};
    MPI_Comm_size(c.comm, &c.ranks);
    MPI_Comm_rank(c.comm, &c.rank);
    const int most = number_of(argc, argv, 1, MOST);
    const int learning = number_of(argc, argv, 2, LEARNING);
    const int warm = number_of(argc, argv, 3, WARM);
    if (learning <= FIRST + NEXT) give_up("more calls are needed before the warm ones", argv[2]);
    struct buffers b = make_buffers(most, c.ranks, c.rank);
    uint64_t sum = 0;
    for (c.collective = 0; c.collective < COLLECTIVES; ++c.collective)
        for (c.bytes = 8; c.bytes <= most; c.bytes *= STEP) {
            if (c.collective > ALLREDUCE && vector_of(&c) < c.ranks) continue;
            renew(&b, &c, c.bytes);
            sum = 31 * sum + loop(&b, &c, "first", FIRST);
            sum = 31 * sum + loop(&b, &c, "next", NEXT);
            sum = 31 * sum + loop(&b, &c, NULL, learning - FIRST - NEXT);
            sum = 31 * sum + loop(&b, &c, "warm", warm);
        }
    tell_checksum(sum);
    free_buffers(&b);
    MPI_Finalize();
    return 0;
}
