/* Finds all pairs of nodes of a graph with a path from one to the other: its transitive closure.
 *
 *   mpiexec -n 8 ./reach [-i TIMES] [-t] GRAPH
 *
 * GRAPH is a Matrix Market file or a list of edges, see graph_file.h.
 * -i TIMES  finds them so many times (default 1)      -t  tells on standard error how long that
 * took
 *
 * A join that is repeated until nothing new comes of it: path(x, z) <- path(x, y), edge(y, z). An
 * edge is kept by the owner of its first node, a path by the owner of its last one. So a rank joins
 * what is new with its edges on its own; then MPI_Alltoallv takes every path to where it is kept
 * and may be known. */
#include <limits.h>
#include <mpi.h>
#include <unistd.h>

#include "graph_file.h"

/* A path, and an edge, in one number: first node << 32 | last node. */
typedef uint64_t Pair;
static const Pair NONE = UINT64_MAX;

static int rank, ranks;
static double seconds_exchanging;

static uint64_t mixed(uint64_t h) {
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return h ^ h >> 31;
}
static int owner(uint32_t node) { return (int)(mixed(node) % (uint64_t)ranks); }

static void *memory(size_t bytes) {
    void *p = malloc(bytes + 1);
    if (!p) {
        fprintf(stderr, "reach: rank %d has no memory for %zu bytes\n", rank, bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return p;
}

typedef struct {
    Pair *at;
    size_t count;
} Pairs;

/* Known pairs by hash, at most half full. */
typedef struct {
    Pair *slots;
    size_t size, count;
} Set;

static Set empty_set(size_t size) {
    Set s = {memory(size * sizeof(Pair)), size, 0};
    for (size_t k = 0; k < size; ++k) s.slots[k] = NONE;
    return s;
}

/* Whether the pair is new. */
static int insert(Set *s, Pair p) {
    if (2 * s->count >= s->size) {
        Set grown = empty_set(2 * s->size);
        for (size_t k = 0; k < s->size; ++k)
            if (s->slots[k] != NONE) insert(&grown, s->slots[k]);
        free(s->slots);
        *s = grown;
    }
    size_t k = mixed(p) & (s->size - 1);
    while (s->slots[k] != NONE && s->slots[k] != p) k = (k + 1) & (s->size - 1);
    if (s->slots[k] == p) return 0;
    s->slots[k] = p;
    return ++s->count > 0;
}

/* Where each rank's part of a buffer begins; the sum of the counts, which must fit MPI's. */
static size_t places(const int *counts, int *begins) {
    long long sum = 0;
    for (int r = 0; r < ranks; ++r) {
        begins[r] = (int)sum;
        sum += counts[r];
        if (sum > INT_MAX) {
            fprintf(stderr, "reach: rank %d has more than %d pairs to exchange; use more ranks\n",
                    rank, INT_MAX);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    return (size_t)sum;
}

/* First edge that begins at the node or one behind it. */
static size_t edges_from(Pairs edges, uint32_t node) {
    size_t low = 0, high = edges.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (edges.at[middle] >> 32 < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Every path that is one edge longer than one of `paths`, sorted by the rank that keeps it. Counts
 * only where `out` is NULL. */
static void join(Pairs paths, Pairs edges, int *counts, Pair *out, int *next) {
    for (size_t k = 0; k < paths.count; ++k) {
        uint32_t from = (uint32_t)(paths.at[k] >> 32), last = (uint32_t)paths.at[k];
        for (size_t e = edges_from(edges, last); e < edges.count && edges.at[e] >> 32 == last;
             ++e) {
            uint32_t to = (uint32_t)edges.at[e];
            if (out)
                out[next[owner(to)]++] = (Pair)from << 32 | to;
            else
                ++counts[owner(to)];
        }
    }
}

/* Takes what is there for every rank to it. Frees `out`. */
static Pairs exchange(Pair *out, const int *counts, const int *begins) {
    int *incoming = memory(sizeof(int) * (size_t)ranks),
        *in_begins = memory(sizeof(int) * (size_t)ranks);
    MPI_Alltoall(counts, 1, MPI_INT, incoming, 1, MPI_INT, MPI_COMM_WORLD);
    Pairs in = {NULL, places(incoming, in_begins)};
    in.at = memory(sizeof(Pair) * in.count);
    double start = MPI_Wtime();
    MPI_Alltoallv(out, counts, begins, MPI_UINT64_T, in.at, incoming, in_begins, MPI_UINT64_T,
                  MPI_COMM_WORLD);
    seconds_exchanging += MPI_Wtime() - start;
    free(incoming);
    free(in_begins);
    free(out);
    return in;
}

/* All paths that this rank keeps; `iterations` becomes the number of exchanges that found any: the
 * most edges between two nodes, the shortest way. */
static Set closure(Pairs edges, int *iterations) {
    Set known = empty_set(1024);
    int *counts = memory(sizeof(int) * (size_t)ranks),
        *begins = memory(sizeof(int) * (size_t)ranks), *next = memory(sizeof(int) * (size_t)ranks);
    /* A path of no edge from every node where an edge begins: joined with the edges, these are the
     * paths of one. */
    Pairs fresh = {memory(sizeof(Pair) * edges.count), 0};
    for (size_t e = 0; e < edges.count; ++e)
        if (!e || edges.at[e] >> 32 != edges.at[e - 1] >> 32)
            fresh.at[fresh.count++] = edges.at[e] >> 32 << 32 | edges.at[e] >> 32;
    for (*iterations = 0;; ++*iterations) {
        memset(counts, 0, sizeof(int) * (size_t)ranks);
        join(fresh, edges, counts, NULL, NULL);
        Pair *out = memory(sizeof(Pair) * places(counts, begins));
        memcpy(next, begins, sizeof(int) * (size_t)ranks);
        join(fresh, edges, counts, out, next);
        free(fresh.at);
        Pairs in = exchange(out, counts, begins);
        fresh = (Pairs){in.at, 0};
        for (size_t k = 0; k < in.count; ++k)
            if (insert(&known, in.at[k])) fresh.at[fresh.count++] = in.at[k];
        long found = (long)fresh.count, all;
        MPI_Allreduce(&found, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (!all) break;
    }
    free(fresh.at);
    free(counts);
    free(begins);
    free(next);
    return known;
}

static int in_order(const void *a, const void *b) {
    return (*(const Pair *)a > *(const Pair *)b) - (*(const Pair *)a < *(const Pair *)b);
}

/* Root's graph, an edge to the owner of its first node; every edge once, in order. */
static Pairs scatter(const Graph *graph) {
    int mine, *counts = memory(sizeof(int) * (size_t)ranks),
              *begins = memory(sizeof(int) * (size_t)ranks);
    Pair *sorted = memory(sizeof(Pair) * graph->count);
    memset(counts, 0, sizeof(int) * (size_t)ranks);
    for (size_t e = 0; e < graph->count; ++e) ++counts[owner(graph->edges[e].from)];
    places(counts, begins);
    for (size_t e = 0; e < graph->count; ++e)
        sorted[begins[owner(graph->edges[e].from)]++] =
            (Pair)graph->edges[e].from << 32 | graph->edges[e].to;
    places(counts, begins);
    MPI_Scatter(counts, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    Pairs edges = {memory(sizeof(Pair) * (size_t)mine), 0};
    MPI_Scatterv(sorted, counts, begins, MPI_UINT64_T, edges.at, mine, MPI_UINT64_T, 0,
                 MPI_COMM_WORLD);
    qsort(edges.at, (size_t)mine, sizeof(Pair), in_order);
    for (int e = 0; e < mine; ++e)
        if (!e || edges.at[e] != edges.at[edges.count - 1]) edges.at[edges.count++] = edges.at[e];
    free(counts);
    free(begins);
    free(sorted);
    return edges;
}

static int stop(const char *why, const char *what) {
    if (rank == 0) fprintf(stderr, "reach: %s%s\n", why, what);
    MPI_Finalize();
    return 2;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int times = 1, timed = 0, good = 1, iterations = 0;
    opterr = 0;
    for (int option; (option = getopt(argc, argv, "i:t")) != -1;) {
        if (option == 't')
            timed = 1;
        else if (option != 'i')
            return stop("allowed is reach [-i TIMES] [-t] GRAPH, not ", argv[optind - 1]);
        else if ((times = atoi(optarg)) < 1)
            return stop("TIMES must be a number of at least 1, not ", optarg);
    }
    if (argc - optind != 1) return stop("give one graph: reach [-i TIMES] [-t] GRAPH", "");

    Graph graph = {0};
    if (rank == 0) {
        good = graph_read(&graph, argv[optind]);
        if (good && graph.count > INT_MAX) {
            good = 0;
            snprintf(graph.error, sizeof graph.error, "%s: more than %d edges", argv[optind],
                     INT_MAX);
        }
    }
    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!good) return stop(graph.error, "");
    Pairs edges = scatter(&graph);
    free(graph.edges);

    uint64_t mine[3] = {edges.count, 0, 0}, all[3];
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int t = 0; t < times; ++t) {
        Set paths = closure(edges, &iterations);
        mine[1] = paths.count;
        mine[2] = 0;
        for (size_t k = 0; k < paths.size; ++k)
            if (paths.slots[k] != NONE) mine[2] += mixed(paths.slots[k]);
        free(paths.slots);
    }
    double seconds[2] = {MPI_Wtime() - start, seconds_exchanging}, slowest[2];
    MPI_Reduce(mine, all, 3, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(seconds, slowest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%llu edges, %llu paths, %d iterations, checksum %016llx\n",
               (unsigned long long)all[0], (unsigned long long)all[1], iterations,
               (unsigned long long)all[2]);
        if (timed)
            fprintf(stderr, "time %.6f s, in MPI_Alltoallv %.6f s\n", slowest[0], slowest[1]);
    }
    free(edges.at);
    MPI_Finalize();
    return 0;
}
