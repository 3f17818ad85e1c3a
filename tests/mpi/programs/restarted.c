/* Persistent collectives among other calls: made once, started again and again.
 *
 *   restarted [threads | library] [predefined]   (under hopbine run)
 *
 * By algorithms that it chooses. With `library` by what serves by default, and without what the MPI
 * libraries' own do not stand: starts in different orders, arrays that change, frees of what is in
 * use. With `predefined` without user-defined operations. Prints "N passed, M failed" on rank 0. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinds.h"

enum { KINDS = 7, MANY = 2 * KINDS, N = 60, MOST = 16, LONG = 100000 };
static const char *const chosen =
    "allreduce=recursive_multiplying,bcast=bine_small,reduce=bine_small,alltoallv=parlogna,"
    "allgather=bruck,barrier=bine,exscan=recursive_doubling";
static int rank, p, passed, failed, library, predefined;

/* A request of one kind, and its buffers. */
static struct repeated {
    int in[MOST * N], out[MOST * N], counts[MOST], places[MOST];
} all[MANY];
static MPI_Request made[MANY];

static void verdict(const char *what, int right) {
    int everywhere;
    MPI_Allreduce(&right, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!right) fprintf(stderr, "rank %d: %s is wrong\n", rank, what);
    *(everywhere ? &passed : &failed) += 1;
}

static int value(int from, int to, int i, int round) {
    return from * 7919 + to * 104729 + i * 31 + round;
}
static int length(int k, int a, int b) { return (a * b + k) % 5 ? 1 + (a + b + k) % N : 0; }

static void make(int k, MPI_Comm comm) {
    struct repeated *r = &all[k];
    const int root = k % p, n = 1 + k * 13 % N;
    for (int b = 0; b < p; ++b) r->counts[b] = length(k, rank, b), r->places[b] = N * b;
    switch (k % KINDS) {
    case 0:
        MPI_Allreduce_init(r->in, r->out, n, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &made[k]);
        break;
    case 1:
        MPI_Bcast_init(rank == root ? r->in : r->out, n, MPI_INT, root, comm, MPI_INFO_NULL,
                       &made[k]);
        break;
    case 2:
        MPI_Reduce_init(r->in, r->out, n, MPI_INT, MPI_MAX, root, comm, MPI_INFO_NULL, &made[k]);
        break;
    case 3:
        MPI_Alltoallv_init(r->in, r->counts, r->places, MPI_INT, r->out, r->counts, r->places,
                           MPI_INT, comm, MPI_INFO_NULL, &made[k]);
        break;
    case 4:
        for (int b = 0; b < p; ++b) r->counts[b] = length(k, b, 1);
        MPI_Allgatherv_init(r->in, r->counts[rank], MPI_INT, r->out, r->counts, r->places, MPI_INT,
                            comm, MPI_INFO_NULL, &made[k]);
        break;
    case 5: MPI_Barrier_init(comm, MPI_INFO_NULL, &made[k]); break;
    default:
        make_kinds();
        if (predefined)
            MPI_Exscan_init(r->in, r->out, N, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &made[k]);
        else
            MPI_Exscan_init(r->in, r->out, N / 2, pair_type, in_order_op, comm, MPI_INFO_NULL,
                            &made[k]);
        if (!library) free_kinds();
    }
    if (!library) memset(r->counts, 99, sizeof r->counts); /* hopbine has copies */
}

static void fill(int k, int round) {
    for (int b = 0; b < p; ++b)
        for (int i = 0; i < N; ++i)
            all[k].in[b * N + i] =
                k % KINDS == 6 ? 1 + (rank + i + round) % 5 : value(rank, b, i, round),
                              all[k].out[b * N + i] = -1;
}

/* Whether out[at..at + n) came from in[of..) of rank `from`, and nothing else up to N. */
static int is_from(int k, int at, int n, int from, int to, int round) {
    for (int i = 0; i < N; ++i)
        if (all[k].out[at + i] != (i < n ? value(from, to, i, round) : -1)) return 0;
    return 1;
}

static int right(int k, int round) {
    const int root = k % p, n = 1 + k * 13 % N, kind = k % KINDS;
    int good = 1, want[N] = {0};
    for (int i = 0; kind == 0 && i < n; ++i) {
        for (int r = 0; r < p; ++r) want[i] += value(r, 0, i, round);
        good &= all[k].out[i] == want[i];
    }
    if (kind == 1 && rank != root) good = is_from(k, 0, n, root, 0, round);
    if (kind == 2 && rank == root) good = is_from(k, 0, n, p - 1, 0, round);
    for (int b = 0; b < p; ++b) {
        if (kind == 3) good &= is_from(k, b * N, length(k, rank, b), b, rank, round);
        if (kind == 4) good &= is_from(k, b * N, length(k, b, 1), b, 0, round);
    }
    if (kind == 6) {
        make_kinds();
        if (predefined)
            MPI_Exscan(all[k].in, want, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Exscan(all[k].in, want, N / 2, pair_type, in_order_op, MPI_COMM_WORLD);
        free_kinds();
        good = rank == 0 || !memcmp(all[k].out, want, sizeof want);
    }
    return good;
}

/* One round of all requests, with a persistent receive of the program's own among them. */
static void together(const char *how, int round) {
    MPI_Request r[MANY + 1];
    int from[MANY + 1], got = -1, left = MANY + 1, which, n, some[MANY + 1], seen[MANY + 1] = {0};
    for (int k = 0; k < MANY; ++k) fill(k, round);
    for (int k = 0; k < MANY; ++k) {
        from[k] = library ? k : (k * 3 + rank * 5) % MANY;
        r[k] = made[from[k]];
    }
    MPI_Recv_init(&got, 1, MPI_INT, (rank + p - 1) % p, 3, MPI_COMM_WORLD, &r[MANY]);
    if (round % 2)
        MPI_Startall(MANY + 1, r);
    else
        for (int k = 0; k <= MANY; ++k) MPI_Start(&r[k]);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % p, 3, MPI_COMM_WORLD);
    if (!strcmp(how, "Waitall")) MPI_Waitall(MANY + 1, r, MPI_STATUSES_IGNORE), left = 0;
    for (; left > 0 && !strcmp(how, "Waitany"); --left)
        MPI_Waitany(MANY + 1, r, &which, MPI_STATUS_IGNORE), ++seen[which];
    while (left > 0 && !strcmp(how, "Testsome")) {
        MPI_Testsome(MANY + 1, r, &n, some, MPI_STATUSES_IGNORE), left -= n;
        for (int i = 0; i < n; ++i) ++seen[some[i]];
    }
    for (int k = MANY; left > 0 && !strcmp(how, "Wait"); --k, --left)
        MPI_Wait(&r[k], MPI_STATUS_IGNORE);
    for (int done = 0; left > 0; left = done ? 0 : left)
        MPI_Testall(MANY + 1, r, &done, MPI_STATUSES_IGNORE);
    int good = got == (rank + p - 1) % p;
    for (int k = 0; k <= MANY; ++k)
        good &= r[k] != MPI_REQUEST_NULL &&
                seen[k] == (!strcmp(how, "Waitany") || !strcmp(how, "Testsome"));
    MPI_Waitany(MANY, r, &which, MPI_STATUS_IGNORE);
    good &= which == MPI_UNDEFINED; /* all are inactive */
    MPI_Request_free(&r[MANY]);
    for (int k = 0; k < MANY; ++k) good &= right(k, round);
    verdict(how, good);
}

/* A rank that is in a receive still lets the others' calls end. */
static void elsewhere(void) {
    double *in = calloc(LONG, sizeof *in), *out = calloc(LONG, sizeof *out);
    MPI_Request r;
    int got = -1, good = 1;
    MPI_Allreduce_init(in, out, LONG, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < LONG; ++i) in[i] = rank + i + round;
        MPI_Start(&r);
        for (int k = 1; rank == 0 && k < p; ++k)
            MPI_Recv(&got, 1, MPI_INT, k, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
        for (int i = 0; i < LONG; ++i) good &= out[i] == p * (p - 1) / 2. + (double)p * (i + round);
    }
    MPI_Request_free(&r);
    free(in), free(out);
    verdict("a rank in a receive", good);
}

/* Its communicator is freed before it is started, and the request while it is under way. */
static void freed(void) {
    MPI_Comm comm;
    MPI_Request r, other;
    static int x, y;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Allreduce_init(&rank, &x, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
    MPI_Allreduce_init(&rank, &y, 1, MPI_INT, MPI_MAX, comm, MPI_INFO_NULL, &other);
    MPI_Comm_free(&comm);
    for (int round = 0; round < 3; ++round) {
        x = -1;
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        verdict("a freed communicator", x == p * (p - 1) / 2);
    }
    MPI_Request_free(&r);
    MPI_Start(&other);
    MPI_Request_free(&other);
    verdict("a request freed under way", other == MPI_REQUEST_NULL);
}

int main(int argc, char **argv) {
    int level, threads = 0;
    for (int k = 1; k < argc; ++k) {
        library |= !strcmp(argv[k], "library");
        threads |= !strcmp(argv[k], "threads");
        predefined |= !strcmp(argv[k], "predefined");
    }
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    int (*choose)(const char *);
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    if (!library && choose(chosen)) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int k = 0; k < MANY; ++k) make(k, MPI_COMM_WORLD);
    const char *const ways[] = {"Waitall", "Waitany", "Testsome", "Wait", "Testall"};
    /* MPICH 5's own fail in Testall */
    for (int round = 0; round < 10; ++round) together(ways[round % (library ? 4 : 5)], round);
    elsewhere();
    if (!library) freed();
    for (int k = 0; k < MANY - 1; ++k) MPI_Request_free(&made[k]);
    if (library) MPI_Request_free(&made[MANY - 1]); /* else one is left to MPI_Finalize */
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    MPI_Finalize();
    return failed > 0;
}
