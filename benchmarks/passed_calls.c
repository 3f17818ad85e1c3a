/* Nanoseconds of calls of 16 bytes a block in many shapes, after hopbine has learned of them: the
 * best of some loops of each, by the slowest rank, a line each. See passed_calls.py.
 *
 *   mpiexec -n 2 ./passed_calls */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double *in, *out;
static int rank, *counts, *places;
static MPI_Datatype pair;
static MPI_Op sum;

static void add(void *a, void *b, int *n, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *n; ++i) ((double *)b)[i] += ((double *)a)[i];
}

#define WORLD MPI_COMM_WORLD
#define TWO 2, MPI_DOUBLE
#define NONE 0, MPI_DATATYPE_NULL

static void allreduce(void) { MPI_Allreduce(in, out, TWO, MPI_SUM, WORLD); }
static void allreduce_in_place(void) { MPI_Allreduce(MPI_IN_PLACE, out, TWO, MPI_SUM, WORLD); }
static void allreduce_own_operation(void) { MPI_Allreduce(in, out, TWO, sum, WORLD); }
static void allreduce_of_nothing(void) { MPI_Allreduce(in, out, 0, MPI_DOUBLE, MPI_SUM, WORLD); }
static void bcast(void) { MPI_Bcast(in, TWO, 0, WORLD); }
static void bcast_derived(void) { MPI_Bcast(in, 1, pair, 0, WORLD); }
static void reduce_in_place(void) {
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : in, out, TWO, MPI_SUM, 0, WORLD);
}
static void gather_in_place(void) {
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : in, TWO, out, TWO, 0, WORLD);
}
static void scatter_in_place(void) {
    MPI_Scatter(in, TWO, rank == 0 ? MPI_IN_PLACE : out, TWO, 0, WORLD);
}
static void gatherv(void) { MPI_Gatherv(in, TWO, out, counts, places, MPI_DOUBLE, 0, WORLD); }
static void scatterv(void) { MPI_Scatterv(in, counts, places, MPI_DOUBLE, out, TWO, 0, WORLD); }
static void allgather(void) { MPI_Allgather(in, TWO, out, TWO, WORLD); }
static void allgather_in_place(void) { MPI_Allgather(MPI_IN_PLACE, NONE, out, TWO, WORLD); }
static void allgatherv(void) { MPI_Allgatherv(in, TWO, out, counts, places, MPI_DOUBLE, WORLD); }
static void allgatherv_in_place(void) {
    MPI_Allgatherv(MPI_IN_PLACE, NONE, out, counts, places, MPI_DOUBLE, WORLD);
}
static void alltoall(void) { MPI_Alltoall(in, TWO, out, TWO, WORLD); }
static void alltoall_in_place(void) { MPI_Alltoall(MPI_IN_PLACE, NONE, out, TWO, WORLD); }
static void alltoallv(void) {
    MPI_Alltoallv(in, counts, places, MPI_DOUBLE, out, counts, places, MPI_DOUBLE, WORLD);
}
static void reduce_scatter(void) {
    MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_SUM, WORLD);
}
static void reduce_scatter_block(void) { MPI_Reduce_scatter_block(in, out, TWO, MPI_SUM, WORLD); }
static void scan(void) { MPI_Scan(in, out, TWO, MPI_SUM, WORLD); }
static void barrier(void) { MPI_Barrier(WORLD); }

#define SHAPE(call) {#call, call}
static const struct {
    const char *name;
    void (*call)(void);
} shapes[] = {SHAPE(allreduce),
              SHAPE(allreduce_in_place),
              SHAPE(allreduce_own_operation),
              SHAPE(allreduce_of_nothing),
              SHAPE(bcast),
              SHAPE(bcast_derived),
              SHAPE(reduce_in_place),
              SHAPE(gather_in_place),
              SHAPE(scatter_in_place),
              SHAPE(gatherv),
              SHAPE(scatterv),
              SHAPE(allgather),
              SHAPE(allgather_in_place),
              SHAPE(allgatherv),
              SHAPE(allgatherv_in_place),
              SHAPE(alltoall),
              SHAPE(alltoall_in_place),
              SHAPE(alltoallv),
              SHAPE(reduce_scatter),
              SHAPE(reduce_scatter_block),
              SHAPE(scan),
              SHAPE(barrier)};

/* Nanoseconds of a call on this rank. Ranks start a loop together. */
static double loop(void (*call)(void), int calls) {
    PMPI_Barrier(WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) call();
    return (MPI_Wtime() - begin) / calls * 1e9;
}

int main(int argc, char **argv) {
    enum { LEARN = 3000, CALLS = 1000, LOOPS = 20 };
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    in = calloc((size_t)ranks, 2 * sizeof *in);
    out = calloc((size_t)ranks, 2 * sizeof *out);
    counts = malloc(2 * sizeof *counts * (size_t)ranks);
    places = counts + ranks;
    for (int r = 0; r < ranks; ++r) counts[r] = 2, places[r] = 2 * r;
    MPI_Type_contiguous(TWO, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(add, 1, &sum);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
        loop(shapes[s].call, LEARN);
        double best = loop(shapes[s].call, CALLS), slowest;
        for (int k = 1; k < LOOPS; ++k) {
            const double took = loop(shapes[s].call, CALLS);
            if (took < best) best = took;
        }
        PMPI_Reduce(&best, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, WORLD);
        if (rank == 0) printf("%s %.1f\n", shapes[s].name, slowest);
    }
    MPI_Op_free(&sum);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
