/* hopbine-calibrate: times the parameters of models of collectives.
 *
 *   hopbine-calibrate SIZES SMALL_SIZES REPETITIONS
 *
 * SIZES, SMALL_SIZES: bytes, comma separated. Kinds of samples:
 * - exchange: rank 0 sends a message of these bytes to each of ranks 1..m at the same time, which
 *   send it back at once; half the time of both. m = 1 (a ping-pong) for SIZES, m = 2..ranks-1 for
 *   SMALL_SIZES.
 * - reduce: rank 0 adds a vector of floats to another (MPI_Reduce_local), for SIZES.
 * - those of calibrate_messages.h.
 *
 * Ranks that take no part sleep. Every repetition runs all samples: a slow spell of the machine
 * affects all of them. Short ones are repeated inside a sample, which then has their mean. The
 * received data are verified. Output (rank 0, CSV):
 *
 *   kind,messages,bytes,repetition,calls,seconds,correct
 *
 * `hopbine calibrate` starts it and fits the parameters. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calibrate_messages.h"

enum { MOST_SIZES = 256, MOST_CALLS = 2000 };
static const double kSampleSeconds = 500e-6; /* a sample lasts about this long at least */

enum kind { EXCHANGE, REDUCE };
static const char *const kNames[] = {"exchange", "reduce"};

struct sample {
    enum kind kind;
    int messages, calls;
    size_t bytes;
};

static int rank, ranks;
static char *outgoing, *incoming; /* incoming: the messages one after the other */
static MPI_Request *requests;
static MPI_Status *statuses; /* MPICH 4 warns of MPI_STATUSES_IGNORE */

static void die(const char *what) {
    if (rank == 0) fprintf(stderr, "hopbine-calibrate: %s\n", what);
    fflush(stderr);
    MPI_Finalize();
    exit(2);
}

static int split(char *list, size_t *out) {
    int n = 0;
    for (char *s = strtok(list, ","); s; s = strtok(NULL, ",")) {
        if (n == MOST_SIZES) die("more sizes than 256");
        out[n] = strtoull(s, NULL, 10) / sizeof(float) * sizeof(float);
        if (!out[n]) out[n] = sizeof(float);
        ++n;
    }
    return n;
}

/* A barrier that leaves the cores to ranks that are still at work. */
static void meet(void) {
    MPI_Request all;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    while (MPI_Test(&all, &done, MPI_STATUS_IGNORE), !done)
        nanosleep(&(struct timespec){0, 50000}, NULL);
}

static void exchange(const struct sample *s, int calls) {
    const int n = (int)s->bytes;
    for (int c = 0; c < calls; ++c) {
        if (rank == 0) {
            for (int i = 0; i < s->messages; ++i)
                MPI_Irecv(incoming + (size_t)i * s->bytes, n, MPI_BYTE, i + 1, 0, MPI_COMM_WORLD,
                          requests + i);
            for (int i = 0; i < s->messages; ++i)
                MPI_Isend(outgoing, n, MPI_BYTE, i + 1, 0, MPI_COMM_WORLD,
                          requests + s->messages + i);
            MPI_Waitall(2 * s->messages, requests, statuses);
        } else if (rank <= s->messages) {
            MPI_Recv(incoming, n, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(incoming, n, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    }
}

static void reduce(const struct sample *s, int calls) {
    if (rank != 0) return;
    for (int c = 0; c < calls; ++c)
        MPI_Reduce_local(outgoing, incoming, (int)(s->bytes / sizeof(float)), MPI_FLOAT, MPI_SUM);
}

static void fill(const struct sample *s, int round) {
    const size_t n = s->bytes / sizeof(float);
    for (size_t i = 0; i < n; ++i) ((float *)outgoing)[i] = (float)((i * 7 + (size_t)round) % 251);
    memset(incoming, 0, s->bytes * (size_t)s->messages);
}

/* Whether the last call's result is correct; `times` is how often a reduction has added. */
static int right(const struct sample *s, int times) {
    const size_t n = s->bytes / sizeof(float);
    for (int m = 0; m < s->messages; ++m)
        for (size_t i = 0; i < n; ++i)
            if (((float *)(incoming + (size_t)m * s->bytes))[i] !=
                ((float *)outgoing)[i] * (float)(s->kind == REDUCE ? times : 1))
                return 0;
    return 1;
}

/* Seconds of one call, valid on rank 0. */
static double take(const struct sample *s, int round, int *correct) {
    void (*const work)(const struct sample *, int) = s->kind == REDUCE ? reduce : exchange;
    fill(s, round);
    meet();
    work(s, 1); /* wakes the ranks that take part */
    double begin = MPI_Wtime();
    work(s, s->calls);
    double t = (MPI_Wtime() - begin) / s->calls;
    *correct = rank != 0 || right(s, s->calls + 1);
    meet();
    return s->kind == EXCHANGE ? t / 2 : t;
}

static int calls_for(double t) {
    double want = kSampleSeconds / (t > 1e-9 ? t : 1e-9);
    int calls = want < 1 ? 1 : want > MOST_CALLS ? MOST_CALLS : (int)want;
    MPI_Bcast(&calls, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return calls;
}

static size_t largest(const struct sample *s, int n) {
    size_t most = 0;
    for (int i = 0; i < n; ++i)
        if (s[i].bytes * (size_t)s[i].messages > most) most = s[i].bytes * (size_t)s[i].messages;
    return most;
}

/* Allocates buffers and requests for the largest sample. */
static void allocate(const struct sample *all, int n) {
    outgoing = malloc(largest(all, n));
    incoming = malloc(largest(all, n));
    requests = malloc(sizeof *requests * 2 * (size_t)ranks);
    statuses = malloc(sizeof *statuses * 2 * (size_t)ranks);
    if (!outgoing || !incoming || !requests || !statuses) die("no memory for the largest size");
}

/* Times every sample in every repetition and prints a row for each. */
static void run(struct sample *all, int n, int repetitions) {
    int correct;
    for (int i = 0; i < n; ++i) {
        take(all + i, i, &correct);
        all[i].calls = calls_for(take(all + i, i, &correct));
    }
    if (rank == 0) printf("kind,messages,bytes,repetition,calls,seconds,correct\n");
    for (int repetition = 0; repetition < repetitions; ++repetition)
        for (int i = 0; i < n; ++i) {
            double t = take(all + i, repetition, &correct);
            if (rank == 0)
                printf("%s,%d,%zu,%d,%d,%.9g,%d\n", kNames[all[i].kind], all[i].messages,
                       all[i].bytes, repetition, all[i].calls, t, correct);
        }
}

int main(int argc, char **argv) {
    size_t sizes[MOST_SIZES], small[MOST_SIZES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4) die("usage: hopbine-calibrate SIZES SMALL_SIZES REPETITIONS");
    if (ranks < 2) die("a message needs two ranks");
    const int n_sizes = split(argv[1], sizes), n_small = split(argv[2], small);
    struct sample *all = malloc(sizeof *all * (size_t)(2 * n_sizes + n_small * (ranks - 2)));
    if (!all) die("no memory");
    int n = 0;
    for (int i = 0; i < n_sizes; ++i) all[n++] = (struct sample){EXCHANGE, 1, 1, sizes[i]};
    for (int i = 0; i < n_sizes; ++i) all[n++] = (struct sample){REDUCE, 1, 1, sizes[i]};
    for (int m = 2; m < ranks; ++m)
        for (int i = 0; i < n_small; ++i) all[n++] = (struct sample){EXCHANGE, m, 1, small[i]};
    allocate(all, n);
    run(all, n, atoi(argv[3]));
    time_messages(atoi(argv[3]));
    meet();
    free(all);
    free(outgoing);
    free(incoming);
    free(requests);
    free(statuses);
    MPI_Finalize();
    return 0;
}
