#define _GNU_SOURCE
#include "timing.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 200 };
static const double kSampleSeconds = 200e-6; /* a sample lasts about this long at least */
static const double kLongCall = 20e-3;       /* longer calls need neither warming up nor a trial */

const char timing_columns[] =
    "collective,algorithm,ranks,bytes,repetition,calls,seconds,correct,distribution";

static int (*select_algorithm)(const char *);
static const char *(*last_served)(void);
static unsigned random_state;
static char sample_served[200]; /* what served the calls of the last sample */
static int round_number;        /* every sample has new data */
static int least_calls;         /* per sample */

void timing_start(unsigned seed, int calls) {
    *(void **)&select_algorithm = dlsym(RTLD_DEFAULT, "hopbine_select");
    *(void **)&last_served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    random_state = seed;
    least_calls = calls;
}

static unsigned next_random(void) { return random_state = random_state * 1664525u + 1013904223u; }

int split(char *list, char **out, int most) {
    int n = 0;
    for (char *s = strtok(list, ","); s; s = strtok(NULL, ",")) {
        if (n == most) return -1;
        out[n++] = s;
    }
    return n;
}

/* Selects the algorithm on all ranks, as "collective=algorithm". NULL, or the error. */
static const char *choose(const struct work *w, const char *algorithm) {
    char spec[256];
    if (!select_algorithm) return strcmp(algorithm, "mpi") ? "hopbine is not preloaded" : NULL;
    if (!strcmp(algorithm, "auto"))
        return select_algorithm(NULL) ? "the choice cannot be left to hopbine" : NULL;
    if ((size_t)snprintf(spec, sizeof spec, "%s=%s", w->collective, algorithm) >= sizeof spec)
        return "its name is too long";
    return select_algorithm(spec) ? "it cannot be selected" : NULL;
}

/* Checks that the algorithm that was asked for has served. NULL, or the error. */
static const char *demand_served(const struct work *w, const char *algorithm) {
    static char what[300];
    const size_t length = strcspn(algorithm, ":");
    const char *served = last_served ? sample_served : "mpi";
    if (!strcmp(algorithm, "auto") || w->ranks == 1) return NULL;
    if (!strncmp(served, algorithm, length) && (!served[length] || served[length] == ':'))
        return NULL;
    snprintf(what, sizeof what, "%s served", served);
    return what;
}

/* Combines a value of all ranks by a nonblocking call, which hopbine never serves: the traffic
 * between samples is the same whatever is timed. */
static void combine(const void *mine, void *all, MPI_Datatype type, MPI_Op op) {
    MPI_Request pending;
    PMPI_Iallreduce(mine, all, 1, type, op, MPI_COMM_WORLD, &pending);
    PMPI_Wait(&pending, MPI_STATUS_IGNORE);
}

static double sample(struct work *w, int calls, int *correct) {
    struct work *const turns[] = {w, w->other ? w->other : w};
    const int works = w->other && calls > 1 ? 2 : 1, round = round_number + 1;
    round_number += works;
    for (int k = 0; k < works; ++k) work_fill(turns[k], round + k);
    PMPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) work_call(turns[i % 2], MPI_COMM_WORLD);
    double mine = (MPI_Wtime() - begin) / calls;
    if (last_served) snprintf(sample_served, sizeof sample_served, "%s", last_served());
    double longest;
    combine(&mine, &longest, MPI_DOUBLE, MPI_MAX);
    int right = 1;
    for (int k = 0; k < works; ++k) right &= work_right(turns[k], round + k);
    combine(&right, correct, MPI_INT, MPI_MIN);
    return longest;
}

const char *timing_try(struct trial *t, const char *algorithm, struct work *w) {
    int right = 0;
    const char *why = choose(w, algorithm);
    if (why) return why;
    double once = sample(w, 1, &right);
    if ((why = demand_served(w, algorithm))) return why;
    if (!right) return "its result is wrong";
    t->warm = once < kLongCall;
    if (t->warm) { /* the first call may make plans and connections, and any may be interrupted: the
                      least time counts */
        const double two = sample(w, 2, &right), five = sample(w, 5, &right);
        once = two < five ? two : five;
    }
    double want = kSampleSeconds / (once > 1e-9 ? once : 1e-9);
    t->calls = want > MOST_CALLS ? MOST_CALLS : (int)want;
    if (t->calls < least_calls) t->calls = least_calls;
    t->algorithm = algorithm;
    snprintf(t->served, sizeof t->served, "%s", last_served ? sample_served : "mpi");
    return NULL;
}

void timing_repeat(struct trial *trials, int n, int repetitions, struct work *w) {
    int order[MOST_ALGORITHMS], right;
    for (int a = 0; a < n; ++a) order[a] = a;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        for (int a = n - 1; a > 0; --a) {
            int b = (int)((next_random() >> 8) % (unsigned)(a + 1)), keep = order[a];
            order[a] = order[b];
            order[b] = keep;
        }
        for (int k = 0; k < n; ++k) {
            const struct trial *t = &trials[order[k]];
            choose(w, t->algorithm);
            if (t->warm) sample(w, 1, &right);
            double took = sample(w, t->calls, &right);
            if (w->rank == 0)
                printf("%s,%s,%d,%zu,%d,%d,%.9g,%d,%s\n", w->collective, t->algorithm, w->ranks,
                       w->vector, repetition, t->calls, took, right, w->lengths.text);
        }
        if (w->rank == 0) fflush(stdout);
    }
}
