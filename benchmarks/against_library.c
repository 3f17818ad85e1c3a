/* Collectives as a program calls them, and the MPI library's own functions past any preload, in
 * turns within one job. A line for each collective and size: bytes, microseconds of a call as
 * called, of the library's function, of one of the first calls, the quartiles of the ratios, and
 * what served the calls.
 *   against_library [MOST_BYTES [COLLECTIVE...]]
 * Before a size is measured the program makes 200 calls, of 128 KiB and more 60. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collective_names.h"
#include "past_preload.h"
#include "statistics.h"

enum {
    LEARNING = 200,
    LEARNING_LARGE = 60,
    LARGE = 1 << 17,
    ROUNDS = 31,
    WARM = 2,
    LONGEST_LOOP = 200
};
static const double LOOP_SECONDS = 4e-3;

static int p, rank;
static char *from, *to;

/* The functions as called, and those of the library. */
#define FUNCTIONS(F)                                               \
    {F(Bcast),  F(Reduce),  F(Allreduce), F(Reduce_scatter_block), \
     F(Gather), F(Scatter), F(Allgather), F(Alltoall)}
#define CALLED(name) (void *)MPI_##name
#define OWN(name) past_preload("PMPI_" #name)

/* One call of a collective on a vector of n numbers, or on p blocks of m. */
static int call(void *const *functions, int which, int n, int m) {
    void *const f = functions[which];
#define AS(name) ((__typeof__(&MPI_##name))f)
    switch (which) {
    case BCAST: return AS(Bcast)(from, n, MPI_FLOAT, 0, MPI_COMM_WORLD);
    case REDUCE: return AS(Reduce)(from, to, n, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
    case ALLREDUCE: return AS(Allreduce)(from, to, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    case REDUCE_SCATTER:
        return AS(Reduce_scatter_block)(from, to, m, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    case GATHER: return AS(Gather)(from, m, MPI_FLOAT, to, m, MPI_FLOAT, 0, MPI_COMM_WORLD);
    case SCATTER: return AS(Scatter)(from, m, MPI_FLOAT, to, m, MPI_FLOAT, 0, MPI_COMM_WORLD);
    case ALLGATHER: return AS(Allgather)(from, m, MPI_FLOAT, to, m, MPI_FLOAT, MPI_COMM_WORLD);
    default: return AS(Alltoall)(from, m, MPI_FLOAT, to, m, MPI_FLOAT, MPI_COMM_WORLD);
    }
}

/* Seconds of a call in a loop, on the slowest rank. */
static double time_of(void *const *functions, int which, int n, int m, int calls) {
    double mine, slowest;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) call(functions, which, n, m);
    mine = (MPI_Wtime() - begin) / calls;
    PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

static void measure(int which, int bytes, const char *(*served)(void)) {
    static void *const as_called[] = FUNCTIONS(CALLED);
    void *const of_library[] = FUNCTIONS(OWN);
    const int n = bytes / 4, m = n / p;
    double called[ROUNDS], past[ROUNDS], ratio[ROUNDS];
    if (m == 0 && which > ALLREDUCE) return;
    const double first = time_of(as_called, which, n, m, bytes < LARGE ? LEARNING : LEARNING_LARGE);
    const double once = time_of(of_library, which, n, m, 2);
    int calls = (int)(LOOP_SECONDS / once);
    calls = calls < 1 ? 1 : calls > LONGEST_LOOP ? LONGEST_LOOP : calls;
    for (int i = -WARM; i < ROUNDS; ++i) {
        double times[2];
        for (int k = 0; k < 2; ++k) {
            const int own_first = (i + WARM) % 2;
            times[k ^ own_first] =
                time_of(k ^ own_first ? of_library : as_called, which, n, m, calls);
        }
        if (i < 0) continue;
        called[i] = times[0], past[i] = times[1], ratio[i] = times[0] / times[1];
    }
    call(as_called, which, n, m);
    qsort(called, ROUNDS, sizeof *called, ascending);
    qsort(past, ROUNDS, sizeof *past, ascending);
    qsort(ratio, ROUNDS, sizeof *ratio, ascending);
    if (rank == 0) {
        printf("%s %d %.3f %.3f %.3f %.3f %.3f %.3f %s\n", NAMES[which], bytes,
               called[ROUNDS / 2] * 1e6, past[ROUNDS / 2] * 1e6, first * 1e6, ratio[ROUNDS / 4],
               ratio[ROUNDS / 2], ratio[ROUNDS * 3 / 4], served ? served() : "mpi");
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const int most = argc > 1 ? atoi(argv[1]) : 1 << 22;
    const char *(*served)(void) = NULL;
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    from = calloc(1, (size_t)most), to = calloc(1, (size_t)most);
    for (int which = 0; which < COLLECTIVES; ++which) {
        int asked = argc < 3;
        for (int i = 2; i < argc; ++i) asked |= strcmp(argv[i], NAMES[which]) == 0;
        for (int bytes = 8; asked && bytes <= most; bytes *= 8) measure(which, bytes, served);
    }
    free(from), free(to);
    MPI_Finalize();
    return 0;
}
