/* What hopbine costs before the first message: a call of 0 elements finds its plan, binds it and
 * walks it, and sends nothing.
 *
 *   mpicc -O2 -o bind_plan bind_plan.c -ldl
 *   mpiexec -n 4 hopbine run --algorithm allgather=bine_send ./bind_plan [LIBRARY]
 *
 * With a library to load after the first call, as Python's imports do: whether it was a GPU's is
 * then asked in every call. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

enum { CALLS = 1000, SAMPLES = 2001 };

int main(int argc, char **argv) {
    int rank;
    char none = 0, all[64];
    double best = 1, times[SAMPLES], sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allgather(&none, 0, MPI_CHAR, all, 0, MPI_CHAR, MPI_COMM_WORLD);
    if (argc > 1 && !dlopen(argv[1], RTLD_NOW)) return fprintf(stderr, "%s\n", dlerror()), 1;
    for (int s = 0; s < SAMPLES; ++s) {
        double begin = MPI_Wtime();
        for (int i = 0; i < CALLS; ++i)
            MPI_Allgather(&none, 0, MPI_CHAR, all, 0, MPI_CHAR, MPI_COMM_WORLD);
        times[s] = (MPI_Wtime() - begin) / CALLS;
        if (times[s] < best) best = times[s];
        sum += times[s];
    }
    if (rank == 0)
        printf("%.0f ns a call (least %.0f) on rank 0\n", 1e9 * sum / SAMPLES, 1e9 * best);
    MPI_Finalize();
    return 0;
}
