/* Microseconds that the first three calls of a kind cost over the MPI library's own: medians and
 * quartiles of 61 communicators whose ranks have an order of their own, so that nothing is known
 * of them. The slowest rank counts.
 *
 *   mpicc -O2 -o first_calls first_calls.c -ldl
 *   mpiexec -n 8 hopbine run ./first_calls [GROUPS] [BYTES]   (default 1 8)
 *
 * With several groups, rank r is alone on a node of group r * GROUPS / ranks. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "past_preload.h"
#include "statistics.h"

enum { TURNS = 61, CALLS = 3 };
typedef int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
static allreduce library;

static void place(int groups) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *size = getenv("OMPI_COMM_WORLD_SIZE");
    char name[20];
    if (!rank) rank = getenv("PMI_RANK"), size = getenv("PMI_SIZE");
    if (groups < 2 || !rank || !size) return;
    snprintf(name, sizeof name, "%d", atoi(rank) * groups / atoi(size));
    setenv("HOPBINE_GROUP", name, 1);
    snprintf(name, sizeof name, "node%d", atoi(rank));
    setenv("HOPBINE_NODE", name, 1);
}

/* All ranks in an order that no communicator had before. */
static MPI_Comm fresh(int rank, int size) {
    static unsigned seed = 1;
    int key[1024];
    MPI_Comm comm;
    for (int r = 0; r < size; ++r) key[r] = rand_r(&seed);
    MPI_Comm_split(MPI_COMM_WORLD, 0, key[rank], &comm);
    return comm;
}

static void times_of(allreduce function, MPI_Comm comm, int count, double *in, double *out,
                     double *times) {
    for (int i = 0; i < CALLS; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        function(in, out, count, MPI_DOUBLE, MPI_SUM, comm);
        const double took = (MPI_Wtime() - begin) * 1e6;
        library(&took, &times[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    int rank, size;
    const int groups = argc > 1 ? atoi(argv[1]) : 1;
    const int count = (argc > 2 ? atoi(argv[2]) : 8) / (int)sizeof(double);
    double own[CALLS], called[CALLS], more[CALLS][TURNS];
    place(groups);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *(void **)&library = past_preload("PMPI_Allreduce");
    double *in = calloc((size_t)count + 1, sizeof *in),
           *out = calloc((size_t)count + 1, sizeof *out);
    for (int t = 0; t < TURNS; ++t) {
        MPI_Comm mine = fresh(rank, size), theirs = fresh(rank, size);
        times_of(library, theirs, count, in, out, own);
        times_of(MPI_Allreduce, mine, count, in, out, called);
        for (int i = 0; i < CALLS; ++i) more[i][t] = called[i] - own[i];
        MPI_Comm_free(&mine);
        MPI_Comm_free(&theirs);
    }
    for (int i = 0; i < CALLS && rank == 0; ++i) {
        qsort(more[i], TURNS, sizeof(double), ascending);
        printf("call %d: %.0f us over the library's (%.0f..%.0f)\n", i + 1, more[i][TURNS / 2],
               more[i][TURNS / 4], more[i][TURNS * 3 / 4]);
    }
    MPI_Finalize();
    return 0;
}
