/* Bine's allgather block by block with derived datatypes, against hopbine's techniques for blocks
 * that are not contiguous (Bine SC'25, Sec. 4.3.1), in turns within one job.
 *
 *   mpicc -O2 -o derived_types benchmarks/derived_types.c -ldl
 *   hopbine schedule allgather bine_block_by_block -n 4 --format csv > schedule.csv
 *   mpiexec -n 4 hopbine run ./derived_types schedule.csv TECHNIQUE,... BYTES...
 *
 * TECHNIQUE: types, or an algorithm of hopbine's. With types a message of the schedule is one MPI
 * message of an MPI_Type_indexed with its runs of blocks; the types are made once for each size,
 * before the first call. BYTES are those of the gathered vector. Prints a row of a table for each
 * size: microseconds of the first technique on the slowest rank, the median of LOOPS loops; then
 * for each other one the ratio of its time to that of the first in the same turn, median and
 * quartiles. Every result is checked. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "statistics.h"

enum { LOOPS = 31, MOST_MOVES = 4096, MOST_RUNS = 1024, MOST_TECHNIQUES = 16, MOST_CALLS = 200 };
static const double LOOP_SECONDS = 20e-3;

/* A message of this rank. */
typedef struct {
    int step, peer, sends, runs;
    int first[MOST_RUNS], blocks[MOST_RUNS];
    MPI_Datatype type;
} Move;

static int rank, p, moves, block;
static Move *all;
static char *mine, *gathered;
static MPI_Comm apart;
static int (*choose)(const char *);

static void fail(const char *what, const char *which) {
    fprintf(stderr, "derived_types: %s%s\n", what, which);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Reads "0-3;7". */
static void read_runs(Move *m, char *text) {
    char *rest = text;
    for (char *run; (run = strsep(&rest, ";\n"));) {
        int low, high;
        const int n = sscanf(run, "%d-%d", &low, &high);
        if (n < 1) continue;
        if (m->runs == MOST_RUNS) fail("too many runs of blocks", "");
        m->first[m->runs] = low;
        m->blocks[m->runs++] = n == 2 ? high - low + 1 : 1;
    }
}

/* Keeps this rank's moves of "step,channel,src,dst,mode,blocks". */
static void read_schedule(const char *path) {
    char line[1 << 16], runs[1 << 16];
    FILE *f = fopen(path, "r");
    if (!f) fail("cannot read ", path);
    all = malloc(MOST_MOVES * sizeof *all);
    while (fgets(line, sizeof line, f)) {
        int step, from, to;
        if (sscanf(line, "%d,%*d,%d,%d,%*[^,],%65535s", &step, &from, &to, runs) != 4) continue;
        if (from >= p || to >= p) fail("more ranks than the job has in ", path);
        if (from != rank && to != rank) continue;
        if (moves == MOST_MOVES) fail("too many moves in ", path);
        Move *m = &all[moves++];
        m->step = step, m->sends = from == rank, m->peer = m->sends ? to : from, m->runs = 0;
        read_runs(m, runs);
    }
    fclose(f);
    if (!moves && p > 1) fail("no moves of a rank in ", path);
}

static void make_types(void) {
    MPI_Datatype one;
    MPI_Type_contiguous(block, MPI_BYTE, &one);
    for (Move *m = all; m < all + moves; ++m) {
        MPI_Type_indexed(m->runs, m->blocks, m->first, one, &m->type);
        MPI_Type_commit(&m->type);
    }
    MPI_Type_free(&one);
}

static void with_types(void) {
    MPI_Request requests[MOST_MOVES];
    memcpy(gathered + (size_t)rank * block, mine, block);
    for (int i = 0; i < moves;) {
        const int step = all[i].step;
        int n = 0;
        for (int k = i; k < moves && all[k].step == step; ++k)
            if (!all[k].sends)
                MPI_Irecv(gathered, 1, all[k].type, all[k].peer, 0, apart, &requests[n++]);
        for (int k = i; k < moves && all[k].step == step; ++k)
            if (all[k].sends)
                MPI_Isend(gathered, 1, all[k].type, all[k].peer, 0, apart, &requests[n++]);
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
        i += n;
    }
}

/* Seconds of a call on the slowest rank. */
static double loop(const char *technique, int calls) {
    const int types = !strcmp(technique, "types");
    char text[256];
    double most, took;
    snprintf(text, sizeof text, "allgather=%s", types ? "mpi" : technique);
    if (choose(text)) fail("cannot select ", text);
    memset(gathered, 0, (size_t)block * p);
    PMPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int k = 0; k < calls; ++k)
        if (types)
            with_types();
        else
            MPI_Allgather(mine, block, MPI_BYTE, gathered, block, MPI_BYTE, MPI_COMM_WORLD);
    took = (MPI_Wtime() - began) / calls;
    for (int r = 0; r < p; ++r)
        for (int i = 0; i < block; ++i)
            if (gathered[(size_t)r * block + i] != (char)(r * 7 + i * 3 + 1))
                fail("wrong result: ", technique);
    PMPI_Allreduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static void compare(char **techniques, int n) {
    double first[LOOPS], ratio[MOST_TECHNIQUES][LOOPS];
    for (int a = 0; a < n; ++a) loop(techniques[a], 2);
    const double wanted = LOOP_SECONDS / loop(techniques[0], 2);
    const int calls = wanted < 1 ? 1 : wanted > MOST_CALLS ? MOST_CALLS : (int)wanted;
    for (int k = 0; k < LOOPS; ++k) { /* each begins in turn */
        double took[MOST_TECHNIQUES] = {0};
        for (int i = 0; i < n; ++i) took[(i + k) % n] = loop(techniques[(i + k) % n], calls);
        first[k] = took[0];
        for (int a = 1; a < n; ++a) ratio[a][k] = took[a] / took[0];
    }
    qsort(first, LOOPS, sizeof *first, ascending);
    if (rank == 0) printf("| %d | %.4g |", block * p, 1e6 * first[LOOPS / 2]);
    for (int a = 1; a < n && rank == 0; ++a) {
        qsort(ratio[a], LOOPS, sizeof *ratio[a], ascending);
        printf(" %.3f (%.3f..%.3f) |", ratio[a][LOOPS / 2], ratio[a][LOOPS / 4],
               ratio[a][3 * LOOPS / 4]);
    }
    if (rank == 0) printf("\n"), fflush(stdout);
}

int main(int argc, char **argv) {
    char *techniques[MOST_TECHNIQUES];
    int n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_dup(MPI_COMM_WORLD, &apart);
    if (argc < 4) fail("SCHEDULE.csv TECHNIQUE,... BYTES...", "");
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    if (!choose) fail("hopbine is not preloaded", "");
    read_schedule(argv[1]);
    for (char *rest = argv[2], *name; n < MOST_TECHNIQUES && (name = strsep(&rest, ","));)
        techniques[n++] = name;
    if (rank == 0) {
        printf("| bytes | %s, us |", techniques[0]);
        for (int a = 1; a < n; ++a) printf(" %s |", techniques[a]);
        printf("\n|---|---|");
        for (int a = 1; a < n; ++a) printf("---|");
        printf("\n");
    }
    for (int i = 3; i < argc; ++i) {
        block = atoi(argv[i]) / p;
        if (block < 1) fail("fewer bytes than ranks: ", argv[i]);
        mine = malloc(block), gathered = malloc((size_t)block * p);
        for (int k = 0; k < block; ++k) mine[k] = (char)(rank * 7 + k * 3 + 1);
        make_types();
        compare(techniques, n);
        for (Move *m = all; m < all + moves; ++m) MPI_Type_free(&m->type);
        free(mine), free(gathered);
    }
    MPI_Comm_free(&apart);
    free(all);
    MPI_Finalize();
    return 0;
}
