/* An allreduce that is started and waited for at once, by the MPI library and by hopbine.
 *
 *   mpicc -O2 -o nonblocking benchmarks/nonblocking.c -ldl
 *   mpiexec -n 2 hopbine run ./nonblocking [BYTES [CALLS [ALGORITHM]]]
 *
 * 31 loops of each in turns, after 2 to warm up. Prints medians of the slowest rank's time of a
 * call, and the median and the quartiles of the ratios of neighbouring loops. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOOPS = 31, WARM = 2 };

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double loop(long *in, long *out, int n, int calls) {
    double most, took;
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int k = 0; k < calls; ++k) {
        MPI_Request request;
        MPI_Iallreduce(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    took = MPI_Wtime() - began;
    MPI_Allreduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most / calls * 1e6;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, p, (*choose)(const char *);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    const int bytes = argc > 1 ? atoi(argv[1]) : 8, calls = argc > 2 ? atoi(argv[2]) : 300,
              n = bytes / (int)sizeof(long);
    char chosen[200];
    snprintf(chosen, sizeof chosen, "allreduce=%s", argc > 3 ? argv[3] : "recursive_multiplying");
    if (!choose || n < 1 || calls < 1) {
        fprintf(stderr, "usage: hopbine run ./nonblocking [BYTES [CALLS [ALGORITHM]]]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    long *in = calloc((size_t)n, sizeof *in), *out = calloc((size_t)n, sizeof *out);
    double library[LOOPS], own[LOOPS], ratio[LOOPS];
    for (int k = -WARM; k < LOOPS; ++k) {
        choose("allreduce=mpi");
        const double by_library = loop(in, out, n, calls);
        if (choose(chosen)) MPI_Abort(MPI_COMM_WORLD, 2);
        const double by_hopbine = loop(in, out, n, calls);
        if (k < 0) continue;
        library[k] = by_library, own[k] = by_hopbine, ratio[k] = by_hopbine / by_library;
    }
    qsort(library, LOOPS, sizeof(double), ascending);
    qsort(own, LOOPS, sizeof(double), ascending);
    qsort(ratio, LOOPS, sizeof(double), ascending);
    if (rank == 0)
        printf("%d ranks, %d B: library %.2f us, hopbine %.2f us, ratio %.3f (%.3f..%.3f)\n", p,
               bytes, library[LOOPS / 2], own[LOOPS / 2], ratio[LOOPS / 2], ratio[LOOPS / 4],
               ratio[LOOPS * 3 / 4]);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
