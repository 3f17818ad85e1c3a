/* Datatypes and operations that are freed and made again for every call, so that a handle comes to
 * mean another one, on each rank after other calls. Between them calls in place, and with counts in
 * arrays. Checks every result, and that all ranks were served alike.
 *   handles [ROUNDS] */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 4, MANY = 4096 };
static int p, rank;
static long right, wrong;
static int *from, *to;
static const char *(*served)(void);

static int value(int round, int of, int i) { return round % 1000 * 7 + of * 10007 + i; }

static void expect(int is_right) { ++*(is_right ? &right : &wrong); }

/* Whether all ranks were served by the same in their last call. */
static void compare(void) {
    char mine[128] = {0}, both[128];
    strncpy(mine, served(), sizeof mine / 2 - 1);
    for (size_t i = 0; i < sizeof mine / 2; ++i) mine[sizeof mine / 2 + i] = (char)~mine[i];
    PMPI_Allreduce(mine, both, sizeof mine, MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
    expect(memcmp(mine, both, sizeof mine) == 0);
}

static void fill(int round, int n) {
    for (int i = 0; i < n; ++i) from[i] = value(round, rank, i), to[i] = -1;
}

static MPI_Datatype block_of(int n) {
    MPI_Datatype made;
    MPI_Type_contiguous(n, MPI_INT, &made);
    MPI_Type_commit(&made);
    return made;
}

static void typed(int round, int n) {
    /* Every second rank has a handle in between for short blocks alone. */
    const int shifts = rank % 2 && n == FEW;
    MPI_Datatype other = shifts ? block_of(1) : MPI_DATATYPE_NULL, block = block_of(n);
    fill(round, n);
    MPI_Bcast(from, 1, block, round % p, MPI_COMM_WORLD);
    expect(from[n - 1] == value(round, round % p, n - 1));
    fill(round, n);
    MPI_Allgather(from, 1, block, to, 1, block, MPI_COMM_WORLD);
    for (int r = 0; r < p; ++r) expect(to[r * n + n - 1] == value(round, r, n - 1));
    compare();
    MPI_Type_free(&block);
    if (shifts) MPI_Type_free(&other);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *n; ++i) ((int *)inout)[i] += ((int *)in)[i];
}

static int sum_of(int round, int i) {
    int sum = 0;
    for (int r = 0; r < p; ++r) sum += value(round, r, i);
    return sum;
}

static void operated(int round, int commutes) {
    const int shifts = rank % 2 && commutes;
    MPI_Op other = MPI_OP_NULL, sum;
    if (shifts) MPI_Op_create(add, 1, &other);
    MPI_Op_create(add, commutes, &sum);
    fill(round, FEW);
    MPI_Allreduce(from, to, FEW, MPI_INT, sum, MPI_COMM_WORLD);
    expect(to[FEW - 1] == sum_of(round, FEW - 1));
    compare();
    MPI_Op_free(&sum);
    if (shifts) MPI_Op_free(&other);
}

static void in_place(int round, int n) {
    fill(round, n);
    MPI_Allreduce(MPI_IN_PLACE, from, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(from[n - 1] == sum_of(round, n - 1));
    fill(round, n);
    MPI_Allreduce(from, to, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(to[n - 1] == sum_of(round, n - 1));
    const int root = round % p;
    fill(round, n);
    MPI_Gather(rank == root ? MPI_IN_PLACE : from, n, MPI_INT, to, n, MPI_INT, root,
               MPI_COMM_WORLD);
    if (rank == root)
        for (int r = 0; r < p; ++r)
            expect(r == rank || to[r * n + n - 1] == value(round, r, n - 1));
}

/* Blocks of 1 to n elements, of one rank more than of the others. */
static void counted(int round, int n) {
    int *const counts = malloc(2 * sizeof(int) * (size_t)p), *const places = counts + p;
    int all = 0;
    for (int r = 0; r < p; ++r) {
        counts[r] = r == round % p ? n : 1;
        places[r] = all;
        all += counts[r];
    }
    fill(round, all);
    MPI_Allgatherv(from, counts[rank], MPI_INT, to, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < p; ++r)
        expect(to[places[r] + counts[r] - 1] == value(round, r, counts[r] - 1));
    MPI_Reduce_scatter(from, to, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(to[counts[rank] - 1] == sum_of(round, places[rank] + counts[rank] - 1));
    MPI_Gatherv(from, counts[rank], MPI_INT, to, counts, places, MPI_INT, round % p,
                MPI_COMM_WORLD);
    if (rank == round % p)
        for (int r = 0; r < p; ++r) expect(to[places[r]] == value(round, r, 0));
    free(counts);
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    from = malloc(sizeof(int) * MANY * (size_t)p);
    to = malloc(sizeof(int) * MANY * (size_t)p);
    for (int round = 0; round < rounds; ++round) {
        const int n = round % 3 ? FEW : MANY;
        typed(round, n);
        operated(round, round % 3 != 0);
        in_place(round, n);
        counted(round, n);
    }
    long mine[2] = {right, wrong}, all[2];
    PMPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%ld passed, %ld failed\n", all[0], all[1]);
    free(from);
    free(to);
    MPI_Finalize();
    return all[1] != 0;
}
