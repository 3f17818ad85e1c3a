/* Checks that an allreduce has the same result on all ranks, as MPI demands. Doubles of many
 * magnitudes reveal any difference in the order of additions.
 *
 *   bits ALGORITHM...   (under hopbine run; "auto" is hopbine's own choice)
 *
 * Prints "N passed, M failed" on rank 0; the exit code is 1 when anything failed. */
#include <dlfcn.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40000 };

int main(int argc, char **argv) {
    int rank, p, passed = 0, failed = 0;
    int (*choose)(const char *);
    static double send[MOST], mine[MOST], first[MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    if (!choose) MPI_Abort(MPI_COMM_WORLD, 2);
    srand((unsigned)rank + 1);
    for (int i = 0; i < MOST; ++i)
        send[i] = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 60 - 30);
    for (int a = 1; a < argc; ++a)
        for (int n = 1; n <= MOST; n = n < MOST / 8 ? 8 * n : n + MOST) {
            char spec[200];
            snprintf(spec, sizeof spec, "allreduce=%s", argv[a]);
            if (choose(strcmp(argv[a], "auto") ? spec : NULL)) MPI_Abort(MPI_COMM_WORLD, 2);
            MPI_Allreduce(send, mine, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            memcpy(first, mine, sizeof mine);
            MPI_Bcast(first, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            int same = !memcmp(first, mine, (size_t)n * sizeof *mine), all;
            PMPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
            *(all ? &passed : &failed) += 1;
            if (!all && rank == 0)
                printf("%s: ranks differ in the bits of %d doubles\n", argv[a], n);
        }
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    MPI_Finalize();
    return failed != 0;
}
