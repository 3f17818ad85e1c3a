#include "calibrate_messages.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    COUNT = 32,
    TRIES = 5,
    MOST_LATE = 256 << 10,
    LATE_SIZES = 5,
    DATA = 0,
    SIGNAL = 1,
    NEVER = 2
};
static const double kAway = 4e-3;         /* s that a receiver does not ask for a message */
static const double kPackSeconds = 50e-6; /* a sample of packing lasts about this long at least */
static const int kRuns[] = {16, 64, 256}, kRunBytes[] = {64, 1024, 8192};
enum { MOST_PACKED = 256 * 8192 };

static int rank;
static char *from, *into;

static void signal_to(int peer) { MPI_Send(NULL, 0, MPI_BYTE, peer, SIGNAL, MPI_COMM_WORLD); }

static void await(int peer) {
    MPI_Recv(NULL, 0, MPI_BYTE, peer, SIGNAL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void print_row(const char *kind, int messages, size_t bytes, int repetition, double seconds,
                      int correct) {
    printf("%s,%d,%zu,%d,1,%.9g,%d\n", kind, messages, bytes, repetition, seconds, correct);
}

/* Lets MPI proceed for a while without a receive. */
static void stay_away(void) {
    int there;
    for (double begin = MPI_Wtime(); MPI_Wtime() - begin < kAway;) {
        MPI_Iprobe(0, NEVER, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        nanosleep(&(struct timespec){0, 50000}, NULL);
    }
}

/* Whether MPI_Send returns although its receiver does not ask for the message for a while. One that
 * waits for the receiver is never taken for one that does not: the time begins before that of the
 * receiver. */
static int is_eager(int bytes) {
    int eager = 0;
    for (int i = 0; i < TRIES && !eager; ++i) {
        if (rank == 0) {
            double begin = MPI_Wtime();
            signal_to(1);
            MPI_Send(from, bytes, MPI_BYTE, 1, DATA, MPI_COMM_WORLD);
            eager = MPI_Wtime() - begin < kAway / 2;
            MPI_Send(&eager, 1, MPI_INT, 1, SIGNAL, MPI_COMM_WORLD);
        } else {
            await(0);
            stay_away();
            MPI_Recv(into, bytes, MPI_BYTE, 0, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&eager, 1, MPI_INT, 0, SIGNAL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return eager;
}

static int eager_limit(void) {
    if (!is_eager(1)) return 0;
    if (is_eager(MOST_EAGER)) return MOST_EAGER;
    int low = 1, high = MOST_EAGER;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (is_eager(middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void time_sends(int bytes, int repetition) {
    MPI_Request all[COUNT];
    MPI_Status statuses[COUNT];
    if (rank == 1) {
        for (int i = 0; i < COUNT; ++i)
            MPI_Irecv(into + (size_t)i * (size_t)bytes, bytes, MPI_BYTE, 0, DATA, MPI_COMM_WORLD,
                      all + i);
        signal_to(0);
        MPI_Waitall(COUNT, all, statuses);
        return;
    }
    await(1);
    double begin = MPI_Wtime();
    for (int i = 0; i < COUNT; ++i)
        MPI_Isend(from, bytes, MPI_BYTE, 1, DATA, MPI_COMM_WORLD, all + i);
    double seconds = (MPI_Wtime() - begin) / COUNT;
    MPI_Waitall(COUNT, all, statuses);
    if (repetition >= 0) print_row("send", COUNT, (size_t)bytes, repetition, seconds, 1);
}

static void time_late(int bytes, int repetition) {
    MPI_Request all[COUNT];
    MPI_Status statuses[COUNT];
    double told[2] = {0, 1}; /* seconds of each; whether the last has arrived whole */
    if (rank == 0) {
        memset(from, 'a' + (repetition & 15), (size_t)bytes);
        for (int i = 0; i < COUNT; ++i)
            MPI_Isend(from, bytes, MPI_BYTE, 1, DATA, MPI_COMM_WORLD, all + i);
        signal_to(1);
        MPI_Waitall(COUNT, all, statuses);
        MPI_Recv(told, 2, MPI_DOUBLE, 1, SIGNAL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (repetition >= 0)
            print_row("late", COUNT, (size_t)bytes, repetition, told[0], told[1] > 0);
        return;
    }
    memset(into, 0, (size_t)bytes);
    await(0); /* what was sent before it has come, too */
    double begin = MPI_Wtime();
    for (int i = 0; i < COUNT; ++i)
        MPI_Recv(into, bytes, MPI_BYTE, 0, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    told[0] = (MPI_Wtime() - begin) / COUNT;
    for (int i = 0; i < bytes; ++i) told[1] *= into[i] == 'a' + (repetition & 15);
    MPI_Send(told, 2, MPI_DOUBLE, 0, SIGNAL, MPI_COMM_WORLD);
}

static void pack(int runs, size_t bytes) {
    for (int i = 0; i < runs; ++i)
        memcpy(into + (size_t)i * bytes, from + (size_t)i * 2 * bytes, bytes);
}

static void time_pack(int runs, int bytes, int repetition) {
    int calls = 0;
    double seconds;
    pack(runs, (size_t)bytes);
    double begin = MPI_Wtime();
    do {
        pack(runs, (size_t)bytes);
        ++calls;
        seconds = MPI_Wtime() - begin;
    } while (seconds < kPackSeconds);
    print_row("pack", runs, (size_t)runs * (size_t)bytes, repetition, seconds / calls,
              memcmp(into, from, (size_t)bytes) == 0);
}

/* Sizes up to the limit, ascending. Returns their number. */
static int late_sizes(int limit, int *out) {
    const int most = limit < MOST_LATE ? limit : MOST_LATE;
    int n = 0;
    for (int part = 16; part >= 1; part /= 2)
        if (most / part > 8 && part != 8) out[n++] = most / part;
    return n;
}

static void time_pair(int repetitions) {
    int sizes[LATE_SIZES + 1] = {8};
    const int limit = eager_limit(), n = 1 + late_sizes(limit, sizes + 1);
    if (rank == 0) print_row("eager", 1, (size_t)limit, 0, 0, 1);
    /* The first round is not printed: it makes what MPI makes at first use. */
    for (int repetition = -1; repetition < repetitions; ++repetition) {
        time_sends(8, repetition);
        if (limit >= 8)
            for (int i = 0; i < n; ++i) time_late(sizes[i], repetition);
    }
}

void time_messages(int repetitions) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    from = calloc(2, MOST_PACKED);
    into = malloc(MOST_EAGER);
    if (!from || !into) MPI_Abort(MPI_COMM_WORLD, 3);
    memset(into, 0, MOST_EAGER);
    if (rank < 2) time_pair(repetitions);
    for (int repetition = 0; rank == 0 && repetition < repetitions; ++repetition)
        for (int r = 0; r < 3; ++r)
            for (int b = 0; b < 3; ++b) time_pack(kRuns[r], kRunBytes[b], repetition);
    free(from);
    free(into);
}
