/* Neighbourhood collectives as a program calls them, and the MPI library's own past any preload, in
 * turns within one job.
 *
 *   mpicc -O2 -o neighbors benchmarks/neighbors.c -ldl
 *   mpiexec -n 8 hopbine run ./neighbors alltoallv|allgather K BYTES...
 *
 * Every rank has the K ranks nearest to it on either side as neighbours (the halo of a banded
 * matrix), and sends BYTES to each.
 *
 * For each size a row of a table: the collective, the neighbours and bytes, microseconds of the
 * library and of hopbine on the slowest rank, medians of 31 loops of each; median and quartiles of
 * the ratios of neighbouring loops. At the end what served the last call. */
/* Open MPI's MPI_UNWEIGHTED looks like an array without elements. */
#pragma GCC diagnostic ignored "-Wstringop-overread"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "past_preload.h"
#include "statistics.h"

#ifndef LOOPS
#define LOOPS 31 /* an odd number */
#endif
enum { LEARNING = 3000, MOST_CALLS = 1000 };
static const double LOOP_SECONDS = 20e-3, LEARNING_SECONDS = 10;

static int rank, p;
static MPI_Comm graph;

typedef struct {
    int gathers, neighbors, bytes;
    int *counts, *places;
    char *from, *to;
    void *function;
} Case;

static void call(const Case *c) {
    if (c->gathers)
        ((__typeof__(&MPI_Neighbor_allgather))c->function)(c->from, c->bytes, MPI_CHAR, c->to,
                                                           c->bytes, MPI_CHAR, graph);
    else
        ((__typeof__(&MPI_Neighbor_alltoallv))c->function)(
            c->from, c->counts, c->places, MPI_CHAR, c->to, c->counts, c->places, MPI_CHAR, graph);
}

/* Seconds of a call in a loop, on the slowest rank. */
static double loop(const Case *c, int calls) {
    double most, took;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int k = 0; k < calls; ++k) call(c);
    took = (MPI_Wtime() - began) / calls;
    PMPI_Allreduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* Calls until hopbine has measured what it wants to. */
static void learn(const Case *c) {
    double left = LEARNING_SECONDS;
    for (int k = 0; k < LEARNING && left > 0; k += 10) left -= 10 * loop(c, 10);
}

static void measure(int gathers, int neighbors, int bytes, const char *(*served)(void)) {
    const size_t all = (size_t)neighbors * (size_t)bytes + 1;
    const char *const name = gathers ? "PMPI_Neighbor_allgather" : "PMPI_Neighbor_alltoallv";
    Case called = {.gathers = gathers,
                   .neighbors = neighbors,
                   .bytes = bytes,
                   .counts = malloc(sizeof(int) * (size_t)neighbors),
                   .places = malloc(sizeof(int) * (size_t)neighbors),
                   .from = calloc(all, 1),
                   .to = calloc(all, 1),
                   .function = dlsym(RTLD_DEFAULT, name + 1)};
    for (int i = 0; i < neighbors; ++i) called.counts[i] = bytes, called.places[i] = i * bytes;
    Case own = called;
    own.function = past_preload(name);
    double library[LOOPS], hopbine[LOOPS], ratio[LOOPS];
    learn(&called);
    const double wanted = LOOP_SECONDS / loop(&own, 10);
    const int calls = wanted < 1 ? 1 : wanted > MOST_CALLS ? MOST_CALLS : (int)wanted;
    for (int k = 0; k < LOOPS; ++k) {
        if (k % 2) library[k] = loop(&own, calls);
        hopbine[k] = loop(&called, calls);
        if (k % 2 == 0) library[k] = loop(&own, calls);
        ratio[k] = hopbine[k] / library[k];
    }
    call(&called);
    qsort(library, LOOPS, sizeof *library, ascending);
    qsort(hopbine, LOOPS, sizeof *hopbine, ascending);
    qsort(ratio, LOOPS, sizeof *ratio, ascending);
    if (rank == 0)
        printf("| %s | %d | %d | %.2f | %.2f | %.3f (%.3f..%.3f) | %s |\n", name + 5, neighbors,
               bytes, library[LOOPS / 2] * 1e6, hopbine[LOOPS / 2] * 1e6, ratio[LOOPS / 2],
               ratio[LOOPS / 4], ratio[LOOPS * 3 / 4], served()),
            fflush(stdout);
    free(called.counts), free(called.places), free(called.from), free(called.to);
}

/* Makes the graph. Returns the number of neighbours. */
static int connect(int reach) {
    int n = 0, *const ranks = malloc(sizeof(int) * 2 * (size_t)reach);
    for (int d = -reach; d <= reach; ++d)
        if (d && rank + d >= 0 && rank + d < p) ranks[n++] = rank + d;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n, ranks, MPI_UNWEIGHTED, n, ranks,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    free(ranks);
    return n;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const char *(*served)(void) = NULL;
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    const int gathers = argc > 1 && !strcmp(argv[1], "allgather");
    if (argc < 4 || !served || atoi(argv[2]) < 1 || (!gathers && strcmp(argv[1], "alltoallv"))) {
        fprintf(stderr, "usage: hopbine run ./neighbors alltoallv|allgather K BYTES...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int neighbors = connect(atoi(argv[2]));
    for (int i = 3; i < argc; ++i) measure(gathers, neighbors, atoi(argv[i]), served);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
