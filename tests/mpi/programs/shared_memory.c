/* Small nonblocking and persistent calls of ranks on one node.
 *
 *   shared_memory [no_files|no_growth]
 *
 * Many calls are outstanding at once on two communicators, with more bytes than the ranks' memory
 * for messages has room for, and are waited for in another order than they were started in. With
 * no_files rank 1 can open no more files, and so no memory of others. With no_growth it can make
 * none above 1 KiB. Prints "N passed, M failed", and what served the last sum, on rank 0. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { OUTSTANDING = 60, ROUNDS = 8, MOST = 256 };
static int rank, size, passed, failed;
static long mine[OUTSTANDING][MOST], sums[OUTSTANDING][MOST];

static void expect(int right) { ++*(right ? &passed : &failed); }
static int numbers(int i) { return i % 3 == 0 ? 1 : i % 3 == 1 ? 30 : MOST; }
static long value(int r, int i, int k) { return (long)r * 1000 + i + k; }

/* Files that may be opened are those that are open. */
static void open_no_more_files(void) {
    int most = 0;
    DIR *all = opendir("/proc/self/fd");
    for (struct dirent *d; (d = readdir(all));)
        most = atoi(d->d_name) > most ? atoi(d->d_name) : most;
    closedir(all);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = (rlim_t)most + 1;
    setrlimit(RLIMIT_NOFILE, &limit);
    while (fopen("/dev/null", "r")) continue; /* none between them is free */
}

/* No file may grow: one that tries ends the program. */
static void let_no_file_grow(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 1024;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void start(int i, MPI_Comm comm, MPI_Request *request) {
    const int n = numbers(i);
    for (int k = 0; k < n; ++k) mine[i][k] = value(rank, i, k), sums[i][k] = -1;
    switch (i % 4) {
    case 0: MPI_Iallreduce(mine[i], sums[i], n, MPI_LONG, MPI_SUM, comm, request); break;
    case 1: MPI_Ireduce(mine[i], sums[i], n, MPI_LONG, MPI_SUM, size - 1, comm, request); break;
    case 2: MPI_Iscan(mine[i], sums[i], n, MPI_LONG, MPI_SUM, comm, request); break;
    default: MPI_Iexscan(mine[i], sums[i], n, MPI_LONG, MPI_SUM, comm, request);
    }
}

static void check(int i) {
    const int has = i % 4 == 1 ? rank == size - 1 : i % 4 < 3 || rank > 0,
              ranks = i % 4 == 2   ? rank + 1
                      : i % 4 == 3 ? rank
                                   : size;
    for (int k = 0; has && k < numbers(i); ++k) {
        long sum = 0;
        for (int r = 0; r < ranks; ++r) sum += value(r, i, k);
        if (sums[i][k] != sum) return expect(0);
    }
    expect(1);
}

int main(int argc, char **argv) {
    const char *(*served)(void);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    MPI_Comm comms[2];
    for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    if (argc > 1 && !strcmp(argv[1], "no_files") && rank == 1) open_no_more_files();
    if (argc > 1 && !strcmp(argv[1], "no_growth") && rank == 1) let_no_file_grow();
    MPI_Request requests[OUTSTANDING];
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < OUTSTANDING; ++i) start(i, comms[i / 5 % 2], &requests[i]);
        if ((round + rank) % 2)
            MPI_Waitall(OUTSTANDING, requests, MPI_STATUSES_IGNORE);
        else
            for (int i = OUTSTANDING; i-- > 0;) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        for (int i = 0; i < OUTSTANDING; ++i) check(i);
    }
#if MPI_VERSION >= 4
    MPI_Request persistent;
    MPI_Allreduce_init(mine[0], sums[0], 1, MPI_LONG, MPI_SUM, comms[0], MPI_INFO_NULL,
                       &persistent);
    for (int round = 0; round < ROUNDS; ++round) {
        mine[0][0] = value(rank, 0, 0);
        MPI_Start(&persistent);
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
        check(0);
    }
    MPI_Request_free(&persistent);
#endif
    MPI_Request request;
    start(0, comms[0], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) printf("the last sum: %s\n%d passed, %d failed\n", served(), passed, failed);
    MPI_Finalize();
    return failed > 0;
}
