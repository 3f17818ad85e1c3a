/* Communicators that live for a few calls, as libraries make them within a solver: a split (of all
 * ranks, then of every second one), a copy, five small collectives, and both are freed. Tells the
 * seconds of the loop on the slowest rank, and by how much the resident memory of the rank that has
 * grown most has grown since a tenth of the loop.
 *   many_communicators [TIMES]: 3000 */
#include <mpi.h>
#include <stdint.h>

#include "collectives.h"
#include "report.h"

enum { TIMES = 3000, SETTLED = 10, SMALL = 256 };

/* A call of the communicator, which is added to the checksum. */
static uint64_t made(uint64_t sum, struct buffers *b, MPI_Comm comm, int collective, int bytes) {
    struct call c = {collective, bytes, 0, comm, 0, 0};
    MPI_Comm_size(comm, &c.ranks);
    MPI_Comm_rank(comm, &c.rank);
    make_call(b, &c);
    return add_answer(sum, b, &c, 0);
}

static uint64_t live_and_die(uint64_t sum, struct buffers *b, int turn) {
    const int rank = world_rank();
    MPI_Comm split, copy;
    MPI_Comm_split(MPI_COMM_WORLD, turn % 2 ? rank % 2 : 0, rank, &split);
    sum = made(sum, b, split, ALLREDUCE, SMALL);
    sum = made(sum, b, split, BCAST, SMALL);
    MPI_Barrier(split);
    sum = made(sum, b, split, ALLGATHER, SMALL);
    MPI_Comm_dup(split, &copy);
    MPI_Comm_free(&split);
    sum = made(sum, b, copy, ALLREDUCE, 8);
    MPI_Comm_free(&copy);
    return sum;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const int times = number_of(argc, argv, 1, TIMES);
    int p;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    struct buffers b = make_buffers(SMALL, p, world_rank());
    uint64_t sum = 0;
    double settled = 0;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < times; ++i) {
        if (i == times / SETTLED) settled = resident();
        sum = live_and_die(sum, &b, i);
    }
    tell("time", "loop", MPI_Wtime() - begin);
    tell("memory", "growth", resident() - settled);
    tell_checksum(sum);
    free_buffers(&b);
    MPI_Finalize();
    return 0;
}
