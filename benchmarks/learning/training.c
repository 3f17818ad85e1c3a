/* A data-parallel training step without its arithmetic: an allreduce of the gradients, one of 8 B
 * (the loss), and in every fourth step a bcast as long as the gradients (weights that rank 0 has
 * checked). Tells the seconds of all steps on the slowest rank.
 *   training [STEPS [BYTES]]: 40 steps, 262144 bytes */
#include <mpi.h>
#include <stdint.h>

#include "collectives.h"
#include "report.h"

enum { STEPS = 40, GRADIENTS = 1 << 18, LOSS = 8, BCAST_EVERY = 4 };

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const int steps = number_of(argc, argv, 1, STEPS), bytes = number_of(argc, argv, 2, GRADIENTS);
    int p, rank = world_rank();
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    struct buffers b = make_buffers(bytes > LOSS ? bytes : LOSS, p, rank);
    const struct call gradients = {ALLREDUCE, bytes, 0, MPI_COMM_WORLD, p, rank};
    const struct call loss = {ALLREDUCE, LOSS, 0, MPI_COMM_WORLD, p, rank};
    const struct call weights = {BCAST, bytes, 0, MPI_COMM_WORLD, p, rank};
    uint64_t sum = 0;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int step = 0; step < steps; ++step) {
        renew(&b, &gradients, step);
        make_call(&b, &gradients);
        sum = add_answer(sum, &b, &gradients, 0);
        make_call(&b, &loss);
        sum = add_answer(sum, &b, &loss, 0);
        if (step % BCAST_EVERY == 0) make_call(&b, &weights);
    }
    tell("time", "collectives", MPI_Wtime() - begin);
    tell_checksum(add_answer(sum, &b, &weights, 1));
    free_buffers(&b);
    MPI_Finalize();
    return 0;
}
