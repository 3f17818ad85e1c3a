/* MPI_Reduce of numbers at addresses that are no multiples of their size. The operation keeps the
 * last rank's operand: that rank, the root, must get its own vector. Prints "right". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 5, STRIDE = 5, COUNT = 6000 };

static void last(void *in, void *inout, int *n, MPI_Datatype *type) {
    (void)in, (void)inout, (void)n, (void)type;
}

int main(int argc, char **argv) {
    int rank, ranks, wrong = 0;
    MPI_Datatype bare, type;
    MPI_Op op;
    const MPI_Aint extent = NUMBERS * STRIDE + 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_create_hvector(NUMBERS, 1, STRIDE, MPI_UINT32_T, &bare);
    MPI_Type_create_resized(bare, 0, extent, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(last, 0, &op);
    char *send = malloc(COUNT * (size_t)extent), *recv = calloc(COUNT, (size_t)extent);
    for (MPI_Aint i = 0; i < COUNT * extent; ++i) send[i] = (char)(i * 7 + rank);
    MPI_Reduce(send, recv, COUNT, type, op, ranks - 1, MPI_COMM_WORLD);
    for (MPI_Aint i = 0; i < COUNT && rank == ranks - 1; ++i)
        for (MPI_Aint j = 0; j < NUMBERS; ++j) {
            const MPI_Aint at = i * extent + j * STRIDE;
            wrong += memcmp(send + at, recv + at, sizeof(int)) != 0;
        }
    if (rank == ranks - 1) {
        if (wrong)
            printf("%d numbers are wrong\n", wrong);
        else
            puts("right");
    }
    free(send), free(recv);
    MPI_Op_free(&op), MPI_Type_free(&bare), MPI_Type_free(&type);
    MPI_Finalize();
    return wrong != 0;
}
