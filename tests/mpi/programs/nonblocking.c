/* Nonblocking collectives among other calls: what MPI allows between their start and their end.
 *
 *   nonblocking [threads | library]   (under hopbine run)
 *
 * With `library` without frees of what is under way, which Open MPI's own collectives do not stand.
 * Prints "N passed, M failed" on rank 0. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kinds.h"

enum { LONG = 200000, MANY = 40 };
static int rank, p, passed, failed;
static double *mine, *sum;

static void verdict(const char *what, int right) {
    int all;
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!right) fprintf(stderr, "rank %d: %s is wrong\n", rank, what);
    *(all ? &passed : &failed) += 1;
}

static void begin(MPI_Comm comm, MPI_Request *request) {
    for (int i = 0; i < LONG; ++i) mine[i] = rank + i, sum[i] = -1;
    MPI_Iallreduce(mine, sum, LONG, MPI_DOUBLE, MPI_SUM, comm, request);
}
static int right_sum(void) {
    for (int i = 0; i < LONG; ++i)
        if (sum[i] != p * (p - 1) / 2. + (double)p * i) return 0;
    return 1;
}

/* `library` fills in a status as it likes. */
static void by_test(int library) {
    MPI_Request r;
    MPI_Status s;
    int flag = 0, count = -1, cancelled = -1;
    begin(MPI_COMM_WORLD, &r);
    while (!flag) MPI_Test(&r, &flag, &s);
    MPI_Get_count(&s, MPI_BYTE, &count);
    MPI_Test_cancelled(&s, &cancelled);
    verdict("Test",
            right_sum() && r == MPI_REQUEST_NULL && (library || (count == 0 && !cancelled)));
}

static void by_status(void) {
    MPI_Request r;
    int flag = 0;
    begin(MPI_COMM_WORLD, &r);
    while (!flag) MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE);
    int right = r != MPI_REQUEST_NULL && right_sum();
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    verdict("Request_get_status", right && r == MPI_REQUEST_NULL);
}

/* To cancel a collective is an error that has no effect, also at the moment when it ends. */
static void cancelled(void) {
    MPI_Request r;
    MPI_Status s;
    int right = 1, sum_of_ranks = -1, flag = -1;
    for (int k = 0; k < 400; ++k) {
        MPI_Iallreduce(&rank, &sum_of_ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);
        for (volatile int spin = 0; spin < 200 * k; ++spin) continue;
        MPI_Cancel(&r);
        MPI_Wait(&r, &s);
        MPI_Test_cancelled(&s, &flag);
        right &= !flag && sum_of_ranks == p * (p - 1) / 2;
    }
    verdict("Cancel", right);
}

/* hopbine's requests, the library's, and a null one in one array. */
static void mixed(const char *how) {
    MPI_Request r[4];
    int got = -1, next = (rank + 1) % p, last = (rank + p - 1) % p, left = 3, which, n, some[4];
    r[3] = MPI_REQUEST_NULL;
    begin(MPI_COMM_WORLD, &r[1]);
    MPI_Irecv(&got, 1, MPI_INT, last, 7, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&rank, 1, MPI_INT, next, 7, MPI_COMM_WORLD, &r[2]);
    if (!strcmp(how, "Waitall")) MPI_Waitall(4, r, MPI_STATUSES_IGNORE), left = 0;
    while (left > 0 && !strcmp(how, "Waitany"))
        MPI_Waitany(4, r, &which, MPI_STATUS_IGNORE), --left;
    while (left > 0 && !strcmp(how, "Waitsome"))
        MPI_Waitsome(4, r, &n, some, MPI_STATUSES_IGNORE), left -= n;
    while (left > 0 && !strcmp(how, "Testsome"))
        MPI_Testsome(4, r, &n, some, MPI_STATUSES_IGNORE), left -= n;
    for (int done = 0; left > 0; left -= done ? 3 : 0)
        MPI_Testall(4, r, &done, MPI_STATUSES_IGNORE);
    verdict(how, right_sum() && got == last);
}

/* Many calls of mixed sizes, waited for in another order on every rank; blocking ones between. */
static void outstanding(MPI_Comm comm, const char *what) {
    static int in[MANY][300], out[MANY][300];
    MPI_Request r[MANY];
    int right = 1, total = 0;
    for (int k = 0; k < MANY; ++k) {
        const int n = 1 + k * 7 % 300, root = k % p;
        for (int i = 0; i < n; ++i) in[k][i] = rank + k + i, out[k][i] = -1;
        if (k % 3 == 0)
            MPI_Iallreduce(in[k], out[k], n, MPI_INT, MPI_SUM, comm, &r[k]);
        else if (k % 3 == 1)
            MPI_Ibcast(rank == root ? in[k] : out[k], n, MPI_INT, root, comm, &r[k]);
        else
            MPI_Ireduce(in[k], out[k], n, MPI_INT, MPI_MAX, root, comm, &r[k]);
        if (k % 10 == 5) MPI_Allreduce(&rank, &total, 1, MPI_INT, MPI_SUM, comm);
        right &= total == 0 || total == p * (p - 1) / 2;
    }
    for (int k = 0; k < MANY; ++k) MPI_Wait(&r[(k * 7 + rank * 3) % MANY], MPI_STATUS_IGNORE);
    for (int k = 0; k < MANY; ++k) {
        const int n = 1 + k * 7 % 300, root = k % p;
        for (int i = 0; i < n; ++i) {
            const int got = k % 3 == 1 && rank == root ? in[k][i] : out[k][i];
            const int want = k % 3 == 0     ? p * (p - 1) / 2 + p * (k + i)
                             : k % 3 == 1   ? root + k + i
                             : rank == root ? p - 1 + k + i
                                            : -1;
            right &= got == want;
        }
    }
    verdict(what, right);
}

/* Ranks call on two communicators in different orders. */
static void crossed(void) {
    MPI_Comm a, b;
    MPI_Request r[2];
    int x = -1, y = -1;
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_dup(MPI_COMM_WORLD, &b);
    for (int k = 0; k < 2; ++k)
        if (k == rank % 2)
            MPI_Iallreduce(&rank, &x, 1, MPI_INT, MPI_SUM, a, &r[0]);
        else
            MPI_Iallreduce(&rank, &y, 1, MPI_INT, MPI_MAX, b, &r[1]);
    MPI_Comm_free(&a); /* under way */
    MPI_Comm_free(&b);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    verdict("crossed communicators, freed under way", x == p * (p - 1) / 2 && y == p - 1);
}

/* A rank that is elsewhere still lets the others' calls end. */
static void elsewhere(const char *where) {
    MPI_Request r, other;
    int flag = 0, got = -1;
    begin(MPI_COMM_WORLD, &r);
    if (rank == 0) { /* the others tell when theirs has ended */
        for (int k = 1; k < p; ++k) {
            if (!strcmp(where, "Iprobe"))
                for (flag = 0; !flag;) MPI_Iprobe(k, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            if (!strcmp(where, "Wait of another")) {
                MPI_Irecv(&got, 1, MPI_INT, k, 9, MPI_COMM_WORLD, &other);
                MPI_Wait(&other, MPI_STATUS_IGNORE);
            } else
                MPI_Recv(&got, 1, MPI_INT, k, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else {
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    }
    verdict(where, right_sum());
}

/* A first call on a communicator must not wait for other ranks. */
static void first_call_returns(void) {
    MPI_Comm comm;
    MPI_Request r;
    int x = -1, got = -1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank != 0) MPI_Ssend(&rank, 1, MPI_INT, 0, 11, comm);
    MPI_Iallreduce(&rank, &x, 1, MPI_INT, MPI_SUM, comm, &r);
    for (int k = 1; k < p && rank == 0; ++k)
        MPI_Recv(&got, 1, MPI_INT, k, 11, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    verdict("a first call that returns", x == p * (p - 1) / 2);
}

/* The program frees its handles while the call is under way. */
static void freed_handles(void) {
    MPI_Request r;
    int pairs[200], out[200], want[200];
    make_kinds();
    for (int i = 0; i < 200; ++i) pairs[i] = 1 + (rank + i) % 5;
    MPI_Allreduce(pairs, want, 100, pair_type, in_order_op, MPI_COMM_WORLD);
    MPI_Iallreduce(pairs, out, 100, pair_type, in_order_op, MPI_COMM_WORLD, &r);
    free_kinds();
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    verdict("freed datatypes and operations", !memcmp(out, want, sizeof out));
}

/* The program's counts are gone before the call has ended, which the MPI libraries stand and mpi4py
 * relies on, although MPI forbids it. */
static void freed_counts(void) {
    static int in[64], out[64];
    int *counts = malloc(sizeof *counts * (size_t)p), right = 1;
    MPI_Request r;
    for (int b = 0; b < p; ++b) counts[b] = 1;
    for (int b = 0; b < p; ++b) in[b] = rank + b;
    MPI_Ireduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);
    for (int b = 0; b < p; ++b) counts[b] = 1 << 20;
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    right &= out[0] == p * (p - 1) / 2 + p * rank;
    free(counts);
    verdict("counts that change", right);
}

/* So many plans that old ones are dropped, while a call is under way that uses one of them. */
static void many_plans(void) {
    enum { PLANS = 1100 };
    static MPI_Request r[PLANS];
    static int x[PLANS];
    int (*choose)(const char *), right = 1;
    MPI_Request first;
    char chosen[80];
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    begin(MPI_COMM_WORLD, &first);
    for (int k = 0; k < PLANS; ++k) {
        snprintf(chosen, sizeof chosen, "allreduce=bine_large:segment=%d", 64 + k);
        if (choose(chosen)) MPI_Abort(MPI_COMM_WORLD, 2);
        MPI_Iallreduce(&rank, &x[k], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[k]);
    }
    MPI_Waitall(PLANS, r, MPI_STATUSES_IGNORE);
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    choose(NULL);
    for (int k = 0; k < PLANS; ++k) right &= x[k] == p * (p - 1) / 2;
    verdict("many plans", right && right_sum());
}

static void split(void) {
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    const int all = p;
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &p);
    const int passed_before = passed, failed_before = failed;
    outstanding(half, "a split communicator");
    passed = passed_before + (failed == failed_before), p = all;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv) {
    int level, library = argc > 1 && !strcmp(argv[1], "library"),
               wanted = argc > 1 && !library ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, wanted, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    mine = malloc(LONG * sizeof *mine), sum = malloc(LONG * sizeof *sum);
    first_call_returns();
    by_test(library);
    by_status();
    if (!library) cancelled();
    const char *const ways[] = {"Waitall", "Waitany", "Waitsome", "Testsome", "Testall"};
    for (int k = 0; k < 5; ++k) mixed(ways[k]);
    outstanding(MPI_COMM_WORLD, "many outstanding");
    split();
    if (!library) crossed();
    elsewhere("Iprobe");
    elsewhere("Recv");
    elsewhere("Wait of another");
    if (!library) freed_handles();
    if (!library) freed_counts();
    if (!library) many_plans();
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    /* Left to themselves: their ends come before that of MPI_Finalize. */
    static int left[4], out[4];
    for (int k = 0; k < 4 && !library; ++k) {
        MPI_Request r;
        MPI_Iallreduce(&left[k], &out[k], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);
        MPI_Request_free(&r);
    }
    MPI_Finalize();
    free(mine), free(sum);
    return failed > 0;
}
