/* Communicators that are made, used for many kinds of calls, and freed: resident memory must not
 * grow with their number. Tells the growth since a tenth of them, of the rank that has grown most,
 * the most that a rank has at the end, and the seconds of the loop.
 *   memory [COMMUNICATORS [KINDS]]: 2000, 50 */
#include <mpi.h>
#include <stdint.h>

#include "collectives.h"
#include "report.h"

enum { COMMUNICATORS = 2000, KINDS = 50, SETTLED = 10, SMALLEST = 8, SIZES = 12 };

/* A call of each kind: all collectives at a size, then at twice the size, up to SIZES of them. */
static uint64_t make_kinds(uint64_t sum, struct buffers *b, MPI_Comm comm, int kinds) {
    struct call c = {.root = 0, .comm = comm};
    MPI_Comm_size(comm, &c.ranks);
    MPI_Comm_rank(comm, &c.rank);
    for (int k = 0; k < kinds; ++k) {
        c.collective = k % COLLECTIVES, c.bytes = SMALLEST << k / COLLECTIVES;
        make_call(b, &c);
        sum = add_answer(sum, b, &c, 0);
    }
    return sum;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const int number = number_of(argc, argv, 1, COMMUNICATORS);
    const int kinds = number_of(argc, argv, 2, KINDS);
    if (kinds > COLLECTIVES * SIZES) give_up("at most 96 kinds, not", argv[2]);
    int p, rank = world_rank();
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    struct buffers b = make_buffers(SMALLEST << SIZES, p, rank);
    uint64_t sum = 0;
    double settled = 0;
    const double begin = MPI_Wtime();
    for (int i = 0; i < number; ++i) {
        MPI_Comm comm;
        if (i == number / SETTLED) settled = resident();
        MPI_Comm_split(MPI_COMM_WORLD, i % 2 ? rank % 2 : 0, rank, &comm);
        sum = make_kinds(sum, &b, comm, kinds);
        MPI_Comm_free(&comm);
    }
    tell("time", "loop", MPI_Wtime() - begin);
    tell("memory", "growth", resident() - settled);
    tell("memory", "resident", resident());
    tell_checksum(sum);
    free_buffers(&b);
    MPI_Finalize();
    return 0;
}
