/* hopbine-bench: times collectives, hopbine's algorithms and the MPI library's in one run.
 *
 *   hopbine-bench COLLECTIVE ALGORITHMS SIZES REPETITIONS SEED ROOT ELEMENT
 *
 * ALGORITHMS: comma separated; "mpi" is the library's own. SIZES: bytes, comma separated. In every repetition the
 * algorithms run in a newly shuffled order; a sample is the longest time of any rank. Short calls are repeated
 * inside a sample, which then holds their mean. The answer of every sample is verified.
 * Output (rank 0, CSV): collective,algorithm,ranks,bytes,repetition,calls,seconds,correct
 * It is an ordinary MPI program; `hopbine bench` starts it under `hopbine run`. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives.h"

enum { MOST_ALGORITHMS = 64, MOST_CALLS = 200 };
static const double kSampleSeconds = 200e-6; /* a sample lasts about this long at least */
static const double kLongCall = 20e-3;       /* calls this long need neither warming up nor a trial */

typedef int (*select_fn)(const char *);
typedef const char *(*served_fn)(void);
static select_fn select_algorithm;
static served_fn last_served;
static unsigned random_state;
static char sample_served[200]; /* what served the calls of the last sample */

static unsigned next_random(void) { return random_state = random_state * 1664525u + 1013904223u; }

static int split(char *list, char **out, int most) {
    int n = 0;
    for (char *s = strtok(list, ","); s && n < most; s = strtok(NULL, ",")) out[n++] = s;
    return n;
}

static void die(int rank, const char *what, const char *which) {
    if (rank == 0) fprintf(stderr, "hopbine-bench: %s%s\n", what, which);
    fflush(stderr);
    MPI_Finalize();
    exit(2);
}

static double longest(double t) {
    double all;
    PMPI_Allreduce(&t, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* All ranks name the algorithm; it must be the one that serves. "a=b" in the specification is collective=algorithm; "auto" is what hopbine
   takes when nobody asks. */
static void choose(const struct work *w, const char *algorithm) {
    char spec[256];
    if (!select_algorithm) return;
    snprintf(spec, sizeof spec, "%s=%s", w->collective, algorithm);
    if (!strcmp(algorithm, "auto")) {
        if (select_algorithm(NULL)) die(w->rank, "cannot leave the choice to hopbine", "");
        return;
    }
    if (select_algorithm(spec)) die(w->rank, "cannot select ", spec);
}

static void demand_served(const struct work *w, const char *algorithm) {
    if (!strcmp(algorithm, "auto")) return;
    size_t length = strcspn(algorithm, ":");
    const char *served = last_served ? sample_served : "mpi";
    if (w->ranks > 1 && (strncmp(served, algorithm, length) || (served[length] && served[length] != ':'))) {
        char what[400];
        snprintf(what, sizeof what, "%s %s was asked for, but %s served", w->collective, algorithm, served);
        die(w->rank, what, "");
    }
}

static double sample(struct work *w, int round, int calls, int *correct) {
    work_fill(w, round);
    PMPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) work_call(w, MPI_COMM_WORLD);
    double mine = (MPI_Wtime() - begin) / calls;
    if (last_served) snprintf(sample_served, sizeof sample_served, "%s", last_served());
    double t = longest(mine);
    int right = work_right(w, round);
    PMPI_Allreduce(&right, correct, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return t;
}

static void run_size(struct work *w, char **algorithms, int n, int repetitions) {
    int calls[MOST_ALGORITHMS], order[MOST_ALGORITHMS], warm[MOST_ALGORITHMS], right, round = 0;
    for (int a = 0; a < n; ++a) {
        choose(w, algorithms[a]);
        double once = sample(w, ++round, 1, &right);
        demand_served(w, algorithms[a]);
        if (once < kLongCall) {
            sample(w, ++round, 2, &right);
            once = sample(w, ++round, 5, &right);
        }
        double want = kSampleSeconds / (once > 1e-9 ? once : 1e-9);
        calls[a] = want < 1 ? 1 : want > MOST_CALLS ? MOST_CALLS : (int)want;
        warm[a] = once < kLongCall;
        order[a] = a;
    }
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        for (int a = n - 1; a > 0; --a) {
            int b = (int)((next_random() >> 8) % (unsigned)(a + 1)), keep = order[a];
            order[a] = order[b];
            order[b] = keep;
        }
        for (int k = 0; k < n; ++k) {
            int a = order[k];
            choose(w, algorithms[a]);
            if (warm[a]) sample(w, ++round, 1, &right); /* the one before was another algorithm's */
            double t = sample(w, ++round, calls[a], &right);
            if (w->rank == 0)
                printf("%s,%s,%d,%zu,%d,%d,%.9g,%d\n", w->collective, algorithms[a], w->ranks, w->vector, repetition, calls[a], t, right);
        }
    }
    fflush(stdout);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 8) die(rank, "usage: hopbine-bench COLLECTIVE ALGORITHMS SIZES REPETITIONS SEED ROOT ELEMENT", "");
    *(void **)&select_algorithm = dlsym(RTLD_DEFAULT, "hopbine_select");
    *(void **)&last_served = dlsym(RTLD_DEFAULT, "hopbine_last_served");

    char *algorithms[MOST_ALGORITHMS], *sizes[256];
    int n = split(argv[2], algorithms, MOST_ALGORITHMS), m = split(argv[3], sizes, 256);
    random_state = (unsigned)strtoul(argv[5], NULL, 10);
    int root = atoi(argv[6]);
    enum element element = !strcmp(argv[7], "int32") ? INT32 : !strcmp(argv[7], "float32") ? FLOAT32 : FLOAT64;
    for (int a = 0; a < n; ++a)
        if (!select_algorithm && strcmp(algorithms[a], "mpi")) die(rank, "hopbine is not preloaded; only 'mpi' can run, not ", algorithms[a]);
    if (rank == 0) printf("collective,algorithm,ranks,bytes,repetition,calls,seconds,correct\n");
    for (int i = 0; i < m; ++i) {
        struct work w;
        if (work_open(&w, argv[1], strtoull(sizes[i], NULL, 10), element, root, MPI_COMM_WORLD)) die(rank, "cannot set up ", argv[1]);
        run_size(&w, algorithms, n, atoi(argv[4]));
        work_close(&w);
    }
    MPI_Finalize();
    return 0;
}
