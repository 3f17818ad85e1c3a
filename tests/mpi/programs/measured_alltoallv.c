/* Many MPI_Alltoallv of few bytes, with counts that differ from rank to rank and call to call, some
 * of them 0. Checks every block, and that all ranks were served alike.
 *   measured_alltoallv CALLS [MOST]    up to MOST integers in a block; default 8 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int p, rank, most = 8;

static int count_of(int from, int to, int call) {
    const unsigned x = (unsigned)(from * 31 + to * 17 + call * 7) * 2654435761u;
    return x % 4 == 0 ? 0 : (int)((x >> 8) % (unsigned)(most + 1));
}

static int value(int from, int to, int call, int i) {
    return from * 1000003 + to * 1009 + call * 7 + i;
}

/* Wrong integers of this rank in one call. */
static long exchange(int call, int *send, int *recv, int *numbers) {
    int *n = numbers, *m = n + p, *from = m + p, *to = from + p;
    long wrong = 0;
    for (int r = 0, at = 0, there = 0; r < p; ++r) {
        n[r] = count_of(rank, r, call), m[r] = count_of(r, rank, call);
        from[r] = at, to[r] = there;
        for (int i = 0; i < n[r]; ++i) send[at + i] = value(rank, r, call, i);
        at += n[r], there += m[r];
    }
    memset(recv, -1, sizeof(int) * (size_t)p * (size_t)most);
    MPI_Alltoallv(send, n, from, MPI_INT, recv, m, to, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < p; ++r)
        for (int i = 0; i < m[r]; ++i) wrong += recv[to[r] + i] != value(r, rank, call, i);
    return wrong;
}

static int served_alike(const char *by) {
    char least[64] = {0}, greatest[64] = {0}, mine[64] = {0};
    strncpy(mine, by, sizeof mine - 1);
    PMPI_Allreduce(mine, least, sizeof mine, MPI_CHAR, MPI_MIN, MPI_COMM_WORLD);
    PMPI_Allreduce(mine, greatest, sizeof mine, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    return memcmp(least, greatest, sizeof least) == 0;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const int calls = argc > 1 ? atoi(argv[1]) : 100;
    if (argc > 2) most = atoi(argv[2]);
    const char *(*served)(void) = NULL;
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    const size_t room = sizeof(int) * (size_t)p * (size_t)most;
    int *send = malloc(room), *recv = malloc(room), *numbers = malloc(4 * sizeof(int) * (size_t)p);
    long wrong = 0, all = 0;
    for (int call = 0; call < calls; ++call) {
        wrong += exchange(call, send, recv, numbers);
        if (call % 8 == 0) wrong += !served_alike(served());
    }
    PMPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %ld failed\n", calls, all);
    free(send), free(recv), free(numbers);
    MPI_Finalize();
    return all != 0;
}
