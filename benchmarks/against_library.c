/* Collectives as a program calls them, and the MPI library's own functions past any preload, in
 * turns within one job. A line for each collective and size: bytes, microseconds of a call as
 * called, of the library's function, the quartiles of the ratios, and what served the calls.
 *   against_library [MOST_BYTES [COLLECTIVE...]]
 * Before a size is measured the program makes 200 calls, of 128 KiB and more 60. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* One call of each collective on vectors of `bytes`; PMPI names are those of the library. */
#define CALLS(PREFIX)                                                                              \
    switch (which) {                                                                               \
    case 0: return CALL(PREFIX, Bcast)(from, n, MPI_FLOAT, 0, MPI_COMM_WORLD);                     \
    case 1: return CALL(PREFIX, Reduce)(from, to, n, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);       \
    case 2: return CALL(PREFIX, Allreduce)(from, to, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);       \
    case 3:                                                                                        \
        return CALL(PREFIX, Reduce_scatter_block)(from, to, m, MPI_FLOAT, MPI_SUM,                 \
                                                  MPI_COMM_WORLD);                                 \
    case 4: return CALL(PREFIX, Gather)(from, m, MPI_FLOAT, to, m, MPI_FLOAT, 0, MPI_COMM_WORLD);  \
    case 5: return CALL(PREFIX, Scatter)(from, m, MPI_FLOAT, to, m, MPI_FLOAT, 0, MPI_COMM_WORLD); \
    case 6: return CALL(PREFIX, Allgather)(from, m, MPI_FLOAT, to, m, MPI_FLOAT, MPI_COMM_WORLD);  \
    default: return CALL(PREFIX, Alltoall)(from, m, MPI_FLOAT, to, m, MPI_FLOAT, MPI_COMM_WORLD);  \
    }
static const char *const NAMES[] = {"bcast",  "reduce",  "allreduce", "reduce_scatter",
                                    "gather", "scatter", "allgather", "alltoall"};
static void *library;

/* A function of the library, in the file of one that nobody preloads. */
static void *past_preload(const char *name) {
    void *found = library ? dlsym(library, name) : NULL;
    if (!found) {
        fprintf(stderr, "against_library: %s is not in the file that has MPI_Get_version\n", name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return found;
}

#define CALL(PREFIX, NAME) PREFIX##NAME
static int as_called(int which, int n, int m) { CALLS(MPI_) }
#undef CALL
static void *own[8];
#define CALL(PREFIX, NAME) ((__typeof__(&MPI_##NAME))own[which])
static int of_library(int which, int n, int m) { CALLS(PMPI_) }

static void find_own(void) {
    static const char *const names[] = {
        "PMPI_Bcast",  "PMPI_Reduce",  "PMPI_Allreduce", "PMPI_Reduce_scatter_block",
        "PMPI_Gather", "PMPI_Scatter", "PMPI_Allgather", "PMPI_Alltoall"};
    Dl_info where;
    if (dladdr((void *)MPI_Get_version, &where))
        library = dlopen(where.dli_fname, RTLD_NOLOAD | RTLD_NOW);
    for (int i = 0; i < 8; ++i) own[i] = past_preload(names[i]);
}

typedef int (*function)(int, int, int);

/* Seconds of a call in a loop, on the slowest rank. */
static double time_of(function f, int which, int n, int m, int calls) {
    double mine, slowest;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) f(which, n, m);
    mine = (MPI_Wtime() - begin) / calls;
    PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

static int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void measure(int which, int bytes, const char *(*served)(void)) {
    const int n = bytes / 4, m = n / p;
    double called[ROUNDS], past[ROUNDS], ratio[ROUNDS];
    if (m == 0 && which > 2) return;
    for (int i = 0; i < (bytes < LARGE ? LEARNING : LEARNING_LARGE); ++i) as_called(which, n, m);
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
    as_called(which, n, m);
    qsort(called, ROUNDS, sizeof *called, ascending);
    qsort(past, ROUNDS, sizeof *past, ascending);
    qsort(ratio, ROUNDS, sizeof *ratio, ascending);
    if (rank == 0) {
        printf("%s %d %.3f %.3f %.3f %.3f %.3f %s\n", NAMES[which], bytes, called[ROUNDS / 2] * 1e6,
               past[ROUNDS / 2] * 1e6, ratio[ROUNDS / 4], ratio[ROUNDS / 2], ratio[ROUNDS * 3 / 4],
               served ? served() : "mpi");
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
    find_own();
    for (int which = 0; which < 8; ++which) {
        int asked = argc < 3;
        for (int i = 2; i < argc; ++i) asked |= strcmp(argv[i], NAMES[which]) == 0;
        for (int bytes = 8; asked && bytes <= most; bytes *= 8) measure(which, bytes, served);
    }
    free(from), free(to);
    MPI_Finalize();
    return 0;
}
