/* hopbine-bench: times hopbine's algorithms and the MPI library's collectives in one run.
 *
 *   hopbine-bench COLLECTIVE ALGORITHMS SIZES REPETITIONS SEED ROOT ELEMENT [CALLS [new|same]]
 *   hopbine-bench serve SEED ROOT ELEMENT
 *
 * - ALGORITHMS: comma separated; "mpi" is the MPI library's own.
 * - SIZES: bytes, comma separated; for alltoallv as distribution.h reads them.
 * - CALLS (1): the least number of calls in a sample. Short calls are repeated inside a sample,
 *   which then has their mean.
 * - new: every call of an alltoallv has other counts than the one before; same: all have the same.
 * - serve: times what rank 0 reads from standard input (serve.h).
 *
 * In every repetition the algorithms run in a newly shuffled order. A sample is the longest time of
 * any rank. The result of every sample is verified. Output (rank 0, CSV):
 *
 *   collective,algorithm,ranks,bytes,repetition,calls,seconds,correct,distribution
 *
 * It is an ordinary MPI program; `hopbine bench` and `hopbine tune` start it under `hopbine run`.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve.h"
#include "timing.h"

static void die(int rank, const char *what, const char *which, const char *why) {
    if (rank == 0) fprintf(stderr, "hopbine-bench: %s%s%s\n", what, which, why);
    fflush(stderr);
    MPI_Finalize();
    exit(2);
}

static enum element element_named(const char *name) {
    return !strcmp(name, "int32") ? INT32 : !strcmp(name, "float32") ? FLOAT32 : FLOAT64;
}

static void run_size(struct work *w, char **algorithms, int n, int repetitions) {
    static struct trial trials[MOST_ALGORITHMS];
    for (int a = 0; a < n; ++a) {
        const char *why = timing_try(&trials[a], algorithms[a], w);
        char what[100];
        snprintf(what, sizeof what, "%s cannot be timed: ", w->collective);
        if (why) die(w->rank, algorithms[a], " of ", strcat(what, why));
    }
    timing_repeat(trials, n, repetitions, w);
}

/* Times each algorithm of argv[2] at each size of argv[3]. */
static void run_all(char **argv, int rank, enum counts counts) {
    char *algorithms[MOST_ALGORITHMS], *sizes[256];
    int n = split(argv[2], algorithms, MOST_ALGORITHMS), m = split(argv[3], sizes, 256);
    if (n < 0 || m < 0) die(rank, "too many algorithms or sizes", "", "");
    if (rank == 0) printf("%s\n", timing_columns);
    for (int i = 0; i < m; ++i) {
        struct work w;
        const char *why = work_open(&w, argv[1], sizes[i], element_named(argv[7]), counts,
                                    atoi(argv[6]), MPI_COMM_WORLD);
        if (why) die(rank, argv[1], " cannot be set up: ", why);
        run_size(&w, algorithms, n, atoi(argv[4]));
        work_close(&w);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 5 && !strcmp(argv[1], "serve")) {
        timing_start((unsigned)strtoul(argv[2], NULL, 10), 1);
        serve(atoi(argv[3]), element_named(argv[4]));
        MPI_Finalize();
        return 0;
    }
    const int calls = argc > 8 ? atoi(argv[8]) : 1;
    if (argc < 8 || argc > 10 || calls < 1 ||
        (argc > 9 && strcmp(argv[9], "new") && strcmp(argv[9], "same")))
        die(rank,
            "usage: hopbine-bench COLLECTIVE ALGORITHMS SIZES REPETITIONS SEED ROOT ELEMENT [CALLS "
            "[new|same]] | serve SEED ROOT ELEMENT",
            "", "");
    timing_start((unsigned)strtoul(argv[5], NULL, 10), calls);
    run_all(argv, rank, argc > 9 && !strcmp(argv[9], "same") ? SAME_COUNTS : NEW_COUNTS);
    MPI_Finalize();
    return 0;
}
