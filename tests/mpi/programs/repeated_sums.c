/* Sums the numbers of a file (as exact_sums.c reads them) by MPI_Allreduce again and again. Rank 0
 * tells how many calls were made, how many different results there were, and the bits of the first.
 *
 *   repeated_sums N NUMBERS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CALLS
#define CALLS 2000
#endif

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int n = argc > 2 ? atoi(argv[1]) : 0;
    const size_t bytes = (size_t)n * sizeof(double);
    double *const given = malloc(bytes), *const first = malloc(bytes), *const sum = malloc(bytes);
    FILE *const file = argc > 2 ? fopen(argv[2], "rb") : NULL;
    if (!given || !first || !sum || !file || fseek(file, (long)((size_t)rank * bytes), SEEK_SET) ||
        fread(given, 1, bytes, file) != bytes)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int results = 1;
    for (int k = 0; k < CALLS; ++k) {
        MPI_Allreduce(given, k ? sum : first, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (k && memcmp(sum, first, bytes)) ++results;
    }
    int most;
    MPI_Allreduce(&results, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d calls, %d result: ", CALLS, most);
        for (size_t i = 0; i < bytes; ++i) printf("%02x", ((const unsigned char *)first)[i]);
        printf("\n");
    }
    fclose(file);
    free(given), free(first), free(sum);
    MPI_Finalize();
    return 0;
}
