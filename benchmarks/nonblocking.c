/* Nonblocking and persistent collectives as a program calls them, and the MPI library's own past
 * any preload, in turns within one job: alone, and with computation between start and wait.
 *
 *   mpicc -O2 -o nonblocking benchmarks/nonblocking.c -ldl
 *   mpiexec -n 2 hopbine run ./nonblocking [-b] [-p] [-s] COLLECTIVE BYTES...
 *
 * COLLECTIVE is one of those below, or all. BYTES are those of a vector, which collectives of
 * blocks divide among the ranks, at least one number each.
 * -b: the program first makes 400 blocking calls of each size, which hopbine learns from.
 * -p: persistent requests, made before; a call is MPI_Start and MPI_Wait. Computation takes as long
 * as the library's own call in this job, without MPI_Test and with 20 of them. It is a loop, or
 * with -s a sleep with a test every millisecond, for ranks that share cores: it takes none from the
 * others, as if each had its own.
 *
 * For each size a row of a table: the collective, the bytes, and for no computation, computation
 * without tests and with tests: microseconds of the library and of hopbine on the slowest rank,
 * medians of 31 loops of each; median and quartiles of the ratios of neighbouring loops. At the
 * end what served the call. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "past_preload.h"
#include "statistics.h"

#ifndef LOOPS
#define LOOPS 31 /* an odd number */
#endif
enum { WARM = 2, TESTS = 20, MOST_CALLS = 300, BLOCKING = 400 };
static const double LOOP_SECONDS = 30e-3;

static int rank, p, sleeps, persists, blocks;
static long *from, *to;

enum {
    ALLREDUCE,
    BCAST,
    ALLTOALL,
    REDUCE,
    REDUCE_SCATTER_BLOCK,
    ALLGATHER,
    GATHER,
    SCATTER,
    SCAN,
    EXSCAN,
    BARRIER,
    COLLECTIVES
};
static const struct {
    const char *name, *function;
} KINDS[COLLECTIVES] = {{"allreduce", "Allreduce"},
                        {"bcast", "Bcast"},
                        {"alltoall", "Alltoall"},
                        {"reduce", "Reduce"},
                        {"reduce_scatter_block", "Reduce_scatter_block"},
                        {"allgather", "Allgather"},
                        {"gather", "Gather"},
                        {"scatter", "Scatter"},
                        {"scan", "Scan"},
                        {"exscan", "Exscan"},
                        {"barrier", "Barrier"}};

/* What follows the arguments of a call: of the blocking, nonblocking and persistent form. */
#define BLOCKING_END MPI_Comm
#define NONBLOCKING_END MPI_Comm, MPI_Request *
#define PERSISTENT_END MPI_Comm, MPI_Info, MPI_Request *
#define FROM const void *, int, MPI_Datatype
#define TO void *, int, MPI_Datatype
#define REDUCED const void *, void *, int, MPI_Datatype, MPI_Op
#define AS(f, ...) ((int (*)(__VA_ARGS__))f)
#define MOVED(n) from, n, MPI_LONG, to, n, MPI_LONG
#define SUMMED(n) from, to, n, MPI_LONG, MPI_SUM

/* Calls f, any of MPI's functions of the collective, with `rest` as its last arguments, which are
 * of the types `end`. */
#define CALL(f, end, which, n, ...)                                                    \
    switch (which) {                                                                   \
    case ALLREDUCE:                                                                    \
    case SCAN:                                                                         \
    case EXSCAN: AS(f, REDUCED, end)(SUMMED(n), __VA_ARGS__); break;                   \
    case REDUCE: AS(f, REDUCED, int, end)(SUMMED(n), 0, __VA_ARGS__); break;           \
    case REDUCE_SCATTER_BLOCK: AS(f, REDUCED, end)(SUMMED(n / p), __VA_ARGS__); break; \
    case BCAST: AS(f, TO, int, end)(from, n, MPI_LONG, 0, __VA_ARGS__); break;         \
    case ALLTOALL:                                                                     \
    case ALLGATHER: AS(f, FROM, TO, end)(MOVED(n / p), __VA_ARGS__); break;            \
    case GATHER:                                                                       \
    case SCATTER: AS(f, FROM, TO, int, end)(MOVED(n / p), 0, __VA_ARGS__); break;      \
    default: AS(f, end)(__VA_ARGS__);                                                  \
    }

static int of_blocks(int which) {
    return which == ALLTOALL || which == REDUCE_SCATTER_BLOCK || which == ALLGATHER ||
           which == GATHER || which == SCATTER;
}

/* What to call, with what computation. */
typedef struct {
    int which, n;
    void *blocking;                /* the MPI functions: of the blocking call */
    void *begin;                   /* of the nonblocking call, or MPI_..._init */
    int (*restart)(MPI_Request *); /* MPI_Start */
    MPI_Request made;              /* persistent */
    double compute;                /* seconds */
    int tests;
} Case;

static void start(const Case *c, MPI_Request *request) {
    if (persists) {
        *request = c->made;
        c->restart(request);
        return;
    }
    CALL(c->begin, NONBLOCKING_END, c->which, c->n, MPI_COMM_WORLD, request)
}

/* Makes the calls that hopbine learns from. */
static void call_blocking(const Case *c) {
    for (int k = 0; k < BLOCKING; ++k)
        CALL(c->blocking, BLOCKING_END, c->which, c->n, MPI_COMM_WORLD)
}

/* Makes the persistent request. Not all headers declare these functions. */
static void make(Case *c) {
    const MPI_Comm world = MPI_COMM_WORLD;
    if (!c->begin) {
        fprintf(stderr, "the MPI library has no persistent collectives\n");
        MPI_Abort(world, 1);
    }
    CALL(c->begin, PERSISTENT_END, c->which, c->n, world, MPI_INFO_NULL, &c->made)
}

/* On an emulator a yield waits for messages, which no test of a program that computes does. */
static void yields(int on) {
    static void (*set)(bool) = NULL;
    if (!set) *(void **)&set = dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle");
    if (sleeps && set) set(on);
}

static void compute(double seconds, int tests, MPI_Request *request) {
    const double part = seconds / (tests + 1);
    const struct timespec pause = {(time_t)part, (long)((part - (double)(time_t)part) * 1e9)};
    yields(0);
    for (int k = 0, done; k <= tests; ++k) {
        const double end = MPI_Wtime() + part;
        if (sleeps) nanosleep(&pause, NULL);
        while (MPI_Wtime() < end) continue;
        if (k < tests) MPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
    yields(1);
}

/* Seconds of a call in a loop, on the slowest rank. */
static double loop(const Case *c, int calls) {
    double most, took;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int k = 0; k < calls; ++k) {
        MPI_Request request;
        start(c, &request);
        if (c->compute > 0) compute(c->compute, c->tests, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    took = (MPI_Wtime() - began) / calls;
    PMPI_Allreduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* Decimals of the microseconds that are worth printing. */
static int decimals(const double *seconds) { return seconds[LOOPS / 2] < 100e-6 ? 3 : 0; }

/* Prints a cell. Returns the library's seconds. */
static double compare(Case called, Case own) {
    double library[LOOPS], hopbine[LOOPS], ratio[LOOPS];
    loop(&called, WARM);
    const double wanted = LOOP_SECONDS / loop(&own, WARM);
    const int calls = wanted < 1 ? 1 : wanted > MOST_CALLS ? MOST_CALLS : (int)wanted;
    for (int k = -WARM; k < LOOPS; ++k) {
        double times[2];
        for (int i = 0; i < 2; ++i) {
            const int own_first = (k + WARM) % 2;
            times[i ^ own_first] = loop(i ^ own_first ? &own : &called, calls);
        }
        if (k < 0) continue;
        hopbine[k] = times[0], library[k] = times[1], ratio[k] = times[0] / times[1];
    }
    qsort(library, LOOPS, sizeof *library, ascending);
    qsort(hopbine, LOOPS, sizeof *hopbine, ascending);
    qsort(ratio, LOOPS, sizeof *ratio, ascending);
    if (rank == 0)
        printf(" %.*f and %.*f: %.3f (%.3f..%.3f) |", decimals(library), library[LOOPS / 2] * 1e6,
               decimals(hopbine), hopbine[LOOPS / 2] * 1e6, ratio[LOOPS / 2], ratio[LOOPS / 4],
               ratio[LOOPS * 3 / 4]);
    return library[LOOPS / 2];
}

static void measure(int which, int bytes, const char *(*served)(void)) {
    char name[40], blocking[40];
    snprintf(blocking, sizeof blocking, "MPI_%s", KINDS[which].function);
    snprintf(name, sizeof name, persists ? "PMPI_%s_init" : "PMPI_I%s", KINDS[which].function);
    if (!persists) name[6] = (char)tolower(name[6]);
    int n = bytes / (int)sizeof(long);
    if (of_blocks(which)) n = n < p ? p : n / p * p;
    if (which == BARRIER) n = 0;
    from = calloc((size_t)n + 1, sizeof *from), to = calloc((size_t)n + 1, sizeof *to);
    Case called = {.which = which,
                   .n = n,
                   .blocking = dlsym(RTLD_DEFAULT, blocking),
                   .begin = dlsym(RTLD_DEFAULT, name + 1)},
         own = called;
    own.begin = past_preload(name);
    *(void **)&called.restart = dlsym(RTLD_DEFAULT, "MPI_Start");
    *(void **)&own.restart = past_preload("PMPI_Start");
    if (blocks) call_blocking(&called);
    if (persists) make(&called), make(&own);
    if (rank == 0) printf("| %s | %zu |", name + 5, (size_t)n * sizeof *from);
    called.compute = own.compute = compare(called, own); /* the same on all ranks */
    compare(called, own);
    const int every_ms = (int)(called.compute * 1e3);
    called.tests = own.tests = !sleeps ? TESTS : every_ms < 1 ? 1 : every_ms;
    compare(called, own);
    MPI_Request request;
    start(&called, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) printf(" %s |\n", served()), fflush(stdout);
    if (persists) MPI_Request_free(&called.made), PMPI_Request_free(&own.made);
    free(from), free(to);
}

/* What to measure: collectives first to last, with the sizes in argv from `sizes` on. */
typedef struct {
    int first, last, sizes;
} Asked;

static Asked read(int argc, char **argv) {
    Asked out = {0, COLLECTIVES - 1, 1};
    int wrong = 0;
    for (; out.sizes < argc && argv[out.sizes][0] == '-'; ++out.sizes)
        *(!strcmp(argv[out.sizes], "-b")   ? &blocks
          : !strcmp(argv[out.sizes], "-p") ? &persists
          : !strcmp(argv[out.sizes], "-s") ? &sleeps
                                           : &wrong) = 1;
    const char *const name = out.sizes < argc ? argv[out.sizes] : "";
    if (strcmp(name, "all")) {
        while (out.first < COLLECTIVES && strcmp(KINDS[out.first].name, name)) ++out.first;
        wrong |= out.first == COLLECTIVES;
        out.last = out.first;
    }
    ++out.sizes;
    wrong |= argc <= out.sizes;
    for (int i = out.sizes; i < argc; ++i) wrong |= atoi(argv[i]) < (int)sizeof(long);
    if (wrong) {
        fprintf(stderr,
                "usage: hopbine run ./nonblocking [-b] [-p] [-s] COLLECTIVE|all BYTES...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return out;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const char *(*served)(void) = NULL;
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    if (!served) {
        fprintf(stderr, "nonblocking: runs under hopbine run\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    prctl(PR_SET_TIMERSLACK, 1UL); /* sleeps end on time, not 50 us later */
    const Asked asked = read(argc, argv);
    for (int which = asked.first; which <= asked.last; ++which)
        for (int i = asked.sizes; i < (which == BARRIER ? asked.sizes + 1 : argc); ++i)
            measure(which, atoi(argv[i]), served);
    MPI_Finalize();
    return 0;
}
