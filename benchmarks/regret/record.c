/* Times of every arm of many kinds of calls, call by call, for the replay of the choice.
 *   record SPEC
 * SPEC has a line for each kind: COLLECTIVE BYTES LONGEST APART ARM... An arm is the MPI library's
 * own function (`mpi`, first) or an algorithm of hopbine. LONGEST: calls of the longest block;
 * APART: calls of each arm between calls of other collectives.
 *
 * Rank 0 prints the library's name, then lines: SERIES KIND ARM, and three nanoseconds for each
 * call. Kinds are numbered as in SPEC. Series:
 * - agreement, barrier: of the library, the agreement on 64 doubles (KIND and ARM are 0)
 * - dup: MPI_Comm_dup of the library
 * - opening: an arm's first call on a new communicator, where no other algorithm of hopbine has
 *   served before; first: the same where one has
 * - loop: a block of calls one after the other; the arm before it was another one
 * - apart: calls of which each comes after one of another collective
 * Nanoseconds of a call: from the last rank's begin to the last rank's end (these add up to the
 * time of a loop), of the slowest rank, of the fastest rank. All ranks must share a clock. */
#define _GNU_SOURCE
#include "record.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Begins and ends of calls since the last report. */
static struct {
    int64_t begin[MOST_RECORDED], end[MOST_RECORDED];
    int n;
} kept;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void timed(const struct functions *f, const struct kind *k, MPI_Comm comm) {
    if (kept.n == MOST_RECORDED) give_up("too many calls before a report", k->collective);
    const int64_t begin = now();
    call(f, k, comm);
    kept.end[kept.n] = now();
    kept.begin[kept.n++] = begin;
}

/* Prints the calls from..to of what all ranks have kept. `all`: the largest begin, end, duration
 * and negative duration of each call. */
static void print_calls(const char *series, int kind, int arm, const int64_t (*all)[4], int from,
                        int to) {
    printf("%s %d %d", series, kind, arm);
    for (int i = from; i < to; ++i)
        printf(" %lld %lld %lld", (long long)(all[i][1] - all[i][0]), (long long)all[i][2],
               (long long)-all[i][3]);
    printf("\n");
}

void report(const struct part *parts, int n) {
    static int64_t mine[MOST_RECORDED][4], all[MOST_RECORDED][4];
    for (int i = 0; i < kept.n; ++i) {
        const int64_t took = kept.end[i] - kept.begin[i];
        mine[i][0] = kept.begin[i], mine[i][1] = kept.end[i], mine[i][2] = took;
        mine[i][3] = -took;
    }
    of_library.Reduce(mine, all, 4 * kept.n, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    for (int i = 0, at = 0; i < n; at += parts[i++].calls)
        if (rank == 0 && parts[i].series)
            print_calls(parts[i].series, parts[i].kind, parts[i].arm, all, at, at + parts[i].calls);
    if (rank == 0) fflush(stdout);
    kept.n = 0;
}

static void print_library(void) {
    char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(name, &length);
    name[strcspn(name, ",\n")] = 0;
    if (rank == 0) printf("library %s\n", name);
}

/* Costs of what a choice needs besides calls. */
static void record_costs(void) {
    enum { CALLS = 200, DUPS = 20 };
    static const struct kind agreement = {.which = ALLREDUCE, .doubles = 1, .n = 64},
                             barrier = {.which = BARRIER};
    for (int i = 0; i < CALLS; ++i) timed(&of_library, &agreement, MPI_COMM_WORLD);
    report(&(struct part){"agreement", 0, 0, CALLS}, 1);
    for (int i = 0; i < CALLS; ++i) timed(&of_library, &barrier, MPI_COMM_WORLD);
    report(&(struct part){"barrier", 0, 0, CALLS}, 1);
    MPI_Comm dups[DUPS];
    for (int i = 0; i < DUPS; ++i) {
        kept.begin[kept.n] = now();
        of_library.Comm_dup(MPI_COMM_WORLD, &dups[i]);
        kept.end[kept.n++] = now();
    }
    for (int i = 0; i < DUPS; ++i) of_library.Comm_free(&dups[i]);
    report(&(struct part){"dup", 0, 0, DUPS}, 1);
}

/* First calls on new communicators, of all arms. Each algorithm is the first one on some of them.
 */
static void record_first(const struct kind *k) {
    enum { EACH = 3 };
    struct part parts[EACH * MOST_ARMS * MOST_ARMS];
    const int algorithms = k->arms - 1;
    int n = 0;
    for (int turn = 0; turn < EACH * algorithms; ++turn) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int i = 0; i < k->arms; ++i) {
            const int arm = i ? 1 + (turn + i) % algorithms : 0;
            timed(take(k, arm), k, comm);
            demand_served(k, arm);
            parts[n++] = (struct part){i == 1 ? "opening" : "first", k->number, arm, 1};
        }
        MPI_Comm_free(&comm);
    }
    report(parts, n);
}

/* A block of each arm, in an order that another `seed` changes. */
static void record_blocks(const struct kind *k, int calls, unsigned seed) {
    struct part parts[MOST_ARMS];
    for (int i = 0; i < k->arms; ++i) {
        const int arm = (int)((seed + (seed / 7 % 2 ? (unsigned)(k->arms - i) : (unsigned)i)) %
                              (unsigned)k->arms);
        const struct functions *f = take(k, arm);
        for (int c = 0; c < calls; ++c) timed(f, k, MPI_COMM_WORLD);
        parts[i] = (struct part){"loop", k->number, arm, calls};
    }
    report(parts, k->arms);
}

/* Calls of the kinds from..to, which are of different collectives, in turns. Each is served by its
 * arm of this number, or by one before if there are not so many. Not reported is the first turn,
 * in which hopbine decides again after a selection. */
static void record_apart(const struct kind *from, const struct kind *to, int arm) {
    int n = 0, arms[WITH_BARRIER];
    const int turns = from->apart;
    struct part parts[WITH_BARRIER * (MOST_APART + 1)];
    take_all(from, to, arm, arms);
    for (int turn = -1; turn < turns; ++turn)
        for (const struct kind *k = from; k < to; ++k) {
            const int a = arms[k - from];
            timed(a ? &as_called : &of_library, k, MPI_COMM_WORLD);
            parts[n++] = (struct part){turn < 0 ? NULL : "apart", k->number, a, 1};
        }
    report(parts, n);
}

/* Rounds over all kinds: all arms take part in whatever the machine does for a while. */
static void record_all(const struct kind *kinds, int n) {
    enum { VISITS = 4 };
    for (int k = 0; k < n; ++k) record_first(&kinds[k]);
    unsigned seed = 0;
    for (int length = 1; length <= LONGEST; length *= 2, ++seed)
        for (int turn = 0; turn < (length == 1 ? VISITS : 1); ++turn, ++seed)
            for (int k = 0; k < n; ++k)
                if (length <= kinds[k].longest) record_blocks(&kinds[k], length, seed);
    for (int visit = 0; visit < VISITS; ++visit)
        for (int from = 0, to; from < n; from = to) {
            for (to = from; to < n && kinds[to].bytes == kinds[from].bytes;) ++to;
            for (int arm = 0; arm < MOST_ARMS; ++arm)
                if (any_has(&kinds[from], &kinds[to], arm))
                    record_apart(&kinds[from], &kinds[to], arm);
        }
}

int main(int argc, char **argv) {
    static struct kind kinds[MOST_KINDS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 2) give_up("usage: record SPEC", "");
    const int n = open_kinds(argv[1], kinds);
    print_library();
    record_costs();
    record_all(kinds, n);
    MPI_Finalize();
    return 0;
}
