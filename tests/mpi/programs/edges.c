/* Edge cases: short-lived communicators, calls passed on to the MPI library, errors, threads, odd
 * buffers. Prints "N passed, M failed" on rank 0. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "kinds.h"

static int rank, p, passed, failed;
static int (*choose)(const char *);
static const char *(*served)(void);

static void expect(int right, const char *what) {
    if (!right) fprintf(stderr, "rank %d: %s\n", rank, what);
    *(right ? &passed : &failed) += 1;
}

static int by_mpi(void) { return !strcmp(served(), "mpi"); }

static int sum_over(MPI_Comm c, int mine) {
    int all = -1;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, c);
    return all;
}

static void communicators(void) {
    MPI_Comm c, half;
    for (int i = 0; i < 300;
         ++i) { /* more than some MPI libraries allow at a time: none may leak */
        MPI_Comm_dup(MPI_COMM_WORLD, &c);
        if (sum_over(c, 1) != p) ++failed;
        MPI_Comm_free(&c);
    }
    expect(1, "");
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    int members, me;
    MPI_Comm_size(half, &members);
    MPI_Comm_rank(half, &me);
    expect(sum_over(half, me) == members * (members - 1) / 2, "a split communicator");
    expect(sum_over(MPI_COMM_SELF, 5) == 5 && by_mpi(), "MPI_COMM_SELF passes through");
    if (p > 1) {
        MPI_Comm between;
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? (p - 1) / 2 * 2 : (p / 2) * 2 - 1,
                             7, &between);
        int theirs = -1, one = 1;
        MPI_Allreduce(&one, &theirs, 1, MPI_INT, MPI_SUM, between);
        expect(theirs == p - members && by_mpi(), "an intercommunicator passes through");
        MPI_Comm_free(&between);
    }
    MPI_Comm_free(&half);
}

static void errors(void) {
    MPI_Comm c;
    int value = 1, out = 0, class = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    expect(sum_over(c, 1) == p, "before an error");
    int e = MPI_Allreduce(&value, &out, -1, MPI_INT, MPI_SUM, c);
    MPI_Error_class(e, &class);
    expect(class == MPI_ERR_COUNT || class == MPI_ERR_ARG, "a negative count is MPI's error");
    e = MPI_Bcast(&value, 1, MPI_INT, p, c);
    MPI_Error_class(e, &class);
    expect(class == MPI_ERR_ROOT || class == MPI_ERR_ARG, "a root outside is MPI's error");
    e = MPI_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, c);
    expect(e != MPI_SUCCESS, "a null datatype is MPI's error");
    expect(sum_over(c, 1) == p, "after errors");
    MPI_Comm_free(&c);
    expect(choose("allreduce=no_such") == 1, "an unknown algorithm is refused");
    choose("allreduce=bine_small");
}

static void order(void) {
    if (choose("allreduce=bine_large")) ++failed;
    int mine[2] = {rank + 2, rank + 3}, out[2], want[2] = {2, 3};
    for (int r = 1; r < p; ++r) {
        int next[2] = {r + 2, r + 3};
        compose(want, next);
        memcpy(want, next, sizeof want);
    }
    MPI_Allreduce(mine, out, 1, pair_type, in_order_op, MPI_COMM_WORLD);
    expect(!memcmp(out, want, sizeof want) && by_mpi(),
           "an operation that does not commute goes to the library when the algorithm needs that");
    choose("allreduce=recursive_doubling");
    MPI_Allreduce(mine, out, 1, pair_type, in_order_op, MPI_COMM_WORLD);
    expect(!memcmp(out, want, sizeof want) && (p == 1 || !by_mpi()),
           "recursive doubling keeps rank order");
}

static void same_bits(void) {
    double mine[1000], first[1000], again[1000];
    for (int i = 0; i < 1000; ++i) mine[i] = 1.0 / (1 + i + 31 * rank);
    choose("allreduce=bine_large:segment=100");
    MPI_Allreduce(mine, first, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int k = 0; k < 5; ++k) {
        MPI_Allreduce(mine, again, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (memcmp(first, again, sizeof first)) ++failed;
    }
    MPI_Bcast(again, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    expect(!memcmp(first, again, sizeof first), "the same bits in every run and on every rank");
}

static void *sums(void *comm) {
    long bad = 0;
    for (int i = 0; i < 200; ++i) bad += sum_over(*(MPI_Comm *)comm, i) != i * p;
    return (void *)bad;
}

static void threads(int provided) {
    if (provided < MPI_THREAD_MULTIPLE) {
        if (rank == 0) printf("threads: not provided by this MPI\n");
        return;
    }
    MPI_Comm c[2];
    pthread_t t[2];
    void *bad[2];
    for (int k = 0; k < 2; ++k) MPI_Comm_dup(MPI_COMM_WORLD, &c[k]);
    for (int k = 0; k < 2; ++k) pthread_create(&t[k], NULL, sums, &c[k]);
    for (int k = 0; k < 2; ++k) pthread_join(t[k], &bad[k]);
    expect(!bad[0] && !bad[1], "two threads on two communicators");
    for (int k = 0; k < 2; ++k) MPI_Comm_free(&c[k]);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    if (!choose || !served) MPI_Abort(MPI_COMM_WORLD, 2);
    make_kinds();
    choose("allreduce=bine_small");
    expect(sum_over(MPI_COMM_WORLD, rank) == p * (p - 1) / 2 && (p == 1 || !by_mpi()),
           "allreduce is served");
    communicators();
    /* Some builds of MPI check no arguments and crash with or without hopbine: the test finds out
     * first. */
    if (argc > 1 && !strcmp(argv[1], "errors")) errors();
    order();
    same_bits();
    choose("allreduce=bine_small");
    threads(provided);
    choose(NULL);
    PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    free_kinds();
    MPI_Finalize();
    return failed > 0;
}
