/* calls BYTES CALLS [SECONDS]: allreduces of BYTES, then a pause, in which every rank says that it
 * is there. Exit code 1 for a wrong sum. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **words) {
    int rank, size, wrong = 0;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int n = atoi(words[1]) / (int)sizeof(int), calls = atoi(words[2]);
    int *const in = malloc((size_t)n * sizeof *in), *const out = malloc((size_t)n * sizeof *out);
    for (int i = 0; i < n; ++i) in[i] = rank + i;
    const double begun = MPI_Wtime();
    for (int c = 0; c < calls; ++c) MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const double took = MPI_Wtime() - begun;
    for (int i = 0; i < n; ++i) wrong |= calls && out[i] != size * i + size * (size - 1) / 2;
    if (rank == 0) printf("seconds %.6f\n", took);
    if (count > 3) {
        printf("here\n");
        fflush(stdout);
        sleep((unsigned)atoi(words[3]));
    }
    MPI_Finalize();
    return wrong;
}
