// Sums of 8- and 16-bit integers that overflow, in all reductions. Prints the number of elements
// that differ from wrapped sums.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 331 };  // no multiple of any vector width

#define CHECK(type, name, value)                                                    \
    do {                                                                            \
        type in[MOST], out[MOST], *parts = malloc(sizeof(type) * MOST * (size_t)p); \
        const type sum = (type)((unsigned)(value) * (unsigned)p);                   \
        for (int i = 0; i < MOST; ++i) in[i] = (type)(value);                       \
        for (int i = 0; i < MOST * p; ++i) parts[i] = (type)(value);                \
        for (int n = 1; n <= MOST; n += 110) {                                      \
            MPI_Allreduce(in, out, n, name, MPI_SUM, MPI_COMM_WORLD);               \
            for (int i = 0; i < n; ++i) wrong += out[i] != sum;                     \
            MPI_Reduce(in, out, n, name, MPI_SUM, 0, MPI_COMM_WORLD);               \
            for (int i = 0; i < n && rank == 0; ++i) wrong += out[i] != sum;        \
            MPI_Reduce_scatter_block(parts, out, n, name, MPI_SUM, MPI_COMM_WORLD); \
            for (int i = 0; i < n; ++i) wrong += out[i] != sum;                     \
        }                                                                           \
        free(parts);                                                                \
    } while (0)

int main(int argc, char **argv) {
    int rank, p, wrong = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    CHECK(int8_t, MPI_INT8_T, 100);
    CHECK(signed char, MPI_SIGNED_CHAR, -100);
    CHECK(uint8_t, MPI_UINT8_T, 200);
    CHECK(unsigned char, MPI_UNSIGNED_CHAR, 255);
    CHECK(int16_t, MPI_INT16_T, 30000);
    CHECK(short, MPI_SHORT, -30000);
    CHECK(uint16_t, MPI_UINT16_T, 60000);
    CHECK(unsigned short, MPI_UNSIGNED_SHORT, 65535);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d do not wrap\n", all);
    MPI_Finalize();
    return 0;
}
