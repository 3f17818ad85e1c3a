/* Neighbourhood collectives: the same bits as the MPI library's own, on graphs of all kinds.
 *
 *   neighbors MODE...   (under hopbine run)
 *
 * MODE is what serves them (joined, direct, mpi), or auto for hopbine's choice. Every call is made
 * in the blocking, the nonblocking and, if the library has it, the persistent form, twice and
 * then with other sizes: expected lengths of messages depend on the calls before.
 * Prints "N passed, M failed" on rank 0. */
/* Open MPI's MPI_UNWEIGHTED looks like an array without elements. */
#pragma GCC diagnostic ignored "-Wstringop-overread"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)
#define PERSISTENT
#endif

enum { MOST = 32, ROOM = 2400 }; /* neighbours of a rank; ints of a block with its gaps */
static int rank, p, passed, failed;
static int (*choose)(const char *);
static const char *(*served)(void);

static void verdict(const char *what, const char *mode, int right) {
    int all;
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!right) fprintf(stderr, "rank %d: %s is wrong (%s)\n", rank, what, mode);
    *(all ? &passed : &failed) += 1;
}

static void ask(const char *mode) {
    char text[100];
    snprintf(text, sizeof text, "neighbor_alltoallv=%s,neighbor_allgather=%s", mode, mode);
    if (choose(strcmp(mode, "auto") ? text : NULL)) abort();
}

static unsigned state;
static unsigned draw(unsigned below) { /* the same on all ranks */
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

struct graph {
    MPI_Comm comm;
    const char *name;
    int ins, outs, sources[MOST], destinations[MOST];
    int repeats; /* a Cartesian one in which a rank is a neighbour twice */
};

static struct graph random_graph(int edges) {
    struct graph g = {.name = "random graph"};
    for (int e = 0; e < edges; ++e) {
        const int from = (int)draw((unsigned)p), to = (int)draw((unsigned)p);
        const int times = draw(5) ? 1 : 2;
        for (int k = 0; k < times; ++k) {
            if (rank == from && g.outs < MOST) g.destinations[g.outs++] = to;
            if (rank == to && g.ins < MOST) g.sources[g.ins++] = from;
        }
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, g.ins, g.sources, MPI_UNWEIGHTED, g.outs,
                                   g.destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &g.comm);
    return g;
}

/* Everybody is everybody's neighbour, itself included: all pairs of nodes can be joined. */
static struct graph whole_graph(void) {
    struct graph g = {.name = "whole graph"};
    for (int k = 0; k < p; ++k) {
        g.destinations[g.outs++] = (rank + k) % p;
        g.sources[g.ins++] = (rank + p - k) % p;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, p, g.sources, MPI_UNWEIGHTED, p, g.destinations,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &g.comm);
    return g;
}

/* Rank r is a neighbour of those at distance 1 and 2 in a ring. */
static struct graph old_graph(void) {
    struct graph g = {.name = "graph"};
    int *index = malloc(sizeof(int) * (size_t)p), *edges = malloc(sizeof(int) * 4 * (size_t)p);
    for (int r = 0, n = 0; r < p; ++r) {
        for (int d = -2; d <= 2; ++d)
            if (d && d + p > 0) edges[n++] = (r + d + 2 * p) % p;
        index[r] = n;
    }
    MPI_Graph_create(MPI_COMM_WORLD, p, index, edges, 0, &g.comm);
    MPI_Graph_neighbors_count(g.comm, rank, &g.ins);
    MPI_Graph_neighbors(g.comm, rank, MOST, g.sources);
    g.outs = g.ins;
    memcpy(g.destinations, g.sources, sizeof g.sources);
    free(index);
    free(edges);
    return g;
}

static struct graph grid(int dimensions, int periodic) {
    struct graph g = {.name = periodic ? "torus" : "grid"};
    int shape[3] = {0}, periods[3] = {periodic, periodic, periodic};
    MPI_Dims_create(p, dimensions, shape);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, shape, periods, 0, &g.comm);
    for (int d = 0; d < dimensions; ++d) {
        MPI_Cart_shift(g.comm, d, 1, &g.sources[2 * d], &g.sources[2 * d + 1]);
        g.repeats |= periodic && shape[d] < 3;
    }
    g.ins = g.outs = 2 * dimensions;
    memcpy(g.destinations, g.sources, sizeof g.sources);
    return g;
}

/* Elements from one rank to another: none, few, or more than a message has room for at first. */
static int elements(int from, int to, int round) {
    const int n = (from * 7 + to * 3 + round) % 5;
    return from < 0 || to < 0 ? 3 : n == 4 ? 1500 + 10 * from + 2 * to : n * 2;
}

/* The arguments of a call. Blocks lie in reverse order, with gaps. */
struct call {
    const struct graph *g;
    int sn[MOST], sd[MOST], rn[MOST], rd[MOST], n;
    MPI_Datatype st, rt;
    int *send, *recv;
#if MPI_VERSION >= 4
    MPI_Count snc[MOST], rnc[MOST];
    MPI_Aint sdc[MOST], rdc[MOST];
#endif
};

enum { ALLTOALL, ALLTOALLV, ALLGATHER, ALLGATHERV, FUNCTIONS };
static const char *const names[] = {"Neighbor_alltoall", "Neighbor_alltoallv", "Neighbor_allgather",
                                    "Neighbor_allgatherv"};

static void describe(struct call *c, const struct graph *g, int function, int round, int pairs,
                     MPI_Datatype gapped) {
    c->g = g;
    c->st = pairs ? gapped : MPI_INT; /* two ints of three */
    c->rt = MPI_INT;
    c->n = elements(0, round, 1);
    for (int i = 0; i < g->outs; ++i) {
        c->sn[i] = elements(rank, g->destinations[i], round) / (pairs ? 2 : 1);
        c->sd[i] = (g->outs - 1 - i) * ROOM / (pairs ? 3 : 1);
    }
    for (int i = 0; i < g->ins; ++i) {
        c->rn[i] = function == ALLGATHERV ? elements(g->sources[i], 1, round)
                                          : elements(g->sources[i], rank, round);
        c->rd[i] = (g->ins - 1 - i) * ROOM;
    }
#if MPI_VERSION >= 4
    for (int i = 0; i < MOST; ++i)
        c->snc[i] = c->sn[i], c->sdc[i] = c->sd[i], c->rnc[i] = c->rn[i], c->rdc[i] = c->rd[i];
#endif
}

/* The number of ints that this rank sends to all in an allgatherv. */
static int own(const struct call *c, int round) {
    return elements(rank, 1, round) / (c->st == MPI_INT ? 1 : 2);
}
static int block(const struct call *c) { return c->n / (c->st == MPI_INT ? 1 : 2); }

static int blocking(const struct call *c, int function, int round) {
    const MPI_Comm comm = c->g->comm;
    switch (function) {
    case ALLTOALL:
        return MPI_Neighbor_alltoall(c->send, block(c), c->st, c->recv, c->n, c->rt, comm);
    case ALLTOALLV:
        return MPI_Neighbor_alltoallv(c->send, c->sn, c->sd, c->st, c->recv, c->rn, c->rd, c->rt,
                                      comm);
    case ALLGATHER:
        return MPI_Neighbor_allgather(c->send, block(c), c->st, c->recv, c->n, c->rt, comm);
    default:
        return MPI_Neighbor_allgatherv(c->send, own(c, round), c->st, c->recv, c->rn, c->rd, c->rt,
                                       comm);
    }
}

static void start(const struct call *c, int function, int round, MPI_Request *r) {
    const MPI_Comm comm = c->g->comm;
    switch (function) {
    case ALLTOALL:
        MPI_Ineighbor_alltoall(c->send, block(c), c->st, c->recv, c->n, c->rt, comm, r);
        break;
    case ALLTOALLV:
        MPI_Ineighbor_alltoallv(c->send, c->sn, c->sd, c->st, c->recv, c->rn, c->rd, c->rt, comm,
                                r);
        break;
    case ALLGATHER:
        MPI_Ineighbor_allgather(c->send, block(c), c->st, c->recv, c->n, c->rt, comm, r);
        break;
    default:
        MPI_Ineighbor_allgatherv(c->send, own(c, round), c->st, c->recv, c->rn, c->rd, c->rt, comm,
                                 r);
    }
}

#ifdef PERSISTENT
static void make(const struct call *c, int function, int round, MPI_Request *r) {
    const MPI_Comm comm = c->g->comm;
    const MPI_Info none = MPI_INFO_NULL;
    switch (function) {
    case ALLTOALL:
        MPI_Neighbor_alltoall_init(c->send, block(c), c->st, c->recv, c->n, c->rt, comm, none, r);
        break;
    case ALLTOALLV:
        MPI_Neighbor_alltoallv_init(c->send, c->sn, c->sd, c->st, c->recv, c->rn, c->rd, c->rt,
                                    comm, none, r);
        break;
    case ALLGATHER:
        MPI_Neighbor_allgather_init(c->send, block(c), c->st, c->recv, c->n, c->rt, comm, none, r);
        break;
    default:
        MPI_Neighbor_allgatherv_init(c->send, own(c, round), c->st, c->recv, c->rn, c->rd, c->rt,
                                     comm, none, r);
    }
}
#endif

#if MPI_VERSION >= 4
static int large_counts(const struct call *c, int function, int round) {
    const MPI_Comm comm = c->g->comm;
    switch (function) {
    case ALLTOALL:
        return MPI_Neighbor_alltoall_c(c->send, block(c), c->st, c->recv, c->n, c->rt, comm);
    case ALLTOALLV:
        return MPI_Neighbor_alltoallv_c(c->send, c->snc, c->sdc, c->st, c->recv, c->rnc, c->rdc,
                                        c->rt, comm);
    case ALLGATHER:
        return MPI_Neighbor_allgather_c(c->send, block(c), c->st, c->recv, c->n, c->rt, comm);
    default:
        return MPI_Neighbor_allgatherv_c(c->send, own(c, round), c->st, c->recv, c->rnc, c->rdc,
                                         c->rt, comm);
    }
}
#endif

static int *right; /* what the library's blocking call receives */
static const size_t kInts = (size_t)MOST * ROOM;

static int same(int *recv) {
    const int equal = !memcmp(recv, right, sizeof(int) * kInts);
    for (size_t i = 0; i < kInts; ++i) recv[i] = -1;
    return equal;
}

static void compare(const struct graph *g, int function, int pairs, const char *mode,
                    MPI_Datatype gapped) {
    static struct call c; /* its arrays stay while a call goes on */
    int *const recv = malloc(sizeof(int) * kInts), equal[4] = {1, 1, 1, 1};
    c.send = malloc(sizeof(int) * kInts);
    for (int round = 0; round < 3; ++round) {
        describe(&c, g, function, round / 2, pairs, gapped);
        for (size_t i = 0; i < kInts; ++i)
            c.send[i] = (int)i * 31 + rank * 1000003 + round, right[i] = recv[i] = -1;
        c.recv = right;
        ask("mpi");
        blocking(&c, function, round / 2);
        c.recv = recv;
        ask(mode);
        blocking(&c, function, round / 2);
        equal[0] &= same(recv) && (!strcmp(mode, "auto") || !strcmp(mode, served()));
#if MPI_VERSION >= 4
        large_counts(&c, function, round / 2);
        equal[1] &= same(recv);
#endif
        /* Open MPI's nonblocking calls mix up the directions of a neighbour that is one twice. */
        if (g->repeats && (!strcmp(mode, "auto") || !strcmp(mode, "mpi"))) continue;
        MPI_Request r;
        start(&c, function, round / 2, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        equal[2] &= same(recv);
#ifdef PERSISTENT
        make(&c, function, round / 2, &r);
        for (int k = 0; k < 2; ++k) {
            MPI_Start(&r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
            equal[3] &= same(recv);
        }
        MPI_Request_free(&r);
#endif
    }
    const char *const forms[] = {"", "_c", " nonblocking", " persistent"};
    for (int f = 0; f < 4; ++f) {
        char text[100];
        snprintf(text, sizeof text, "%s%s on a %s%s", names[function], forms[f], g->name,
                 pairs ? ", with a derived datatype" : "");
        verdict(text, mode, equal[f]);
    }
    free(recv);
    free(c.send);
}

/* Several calls under way at once, with others between them. */
static void among_others(const struct graph *g, const char *mode) {
    static struct call c[2];
    int *const recv = malloc(sizeof(int) * kInts), equal = 1, sum = -1;
    MPI_Request r[4];
    for (int i = 0; i < 2; ++i) {
        describe(&c[i], g, ALLTOALLV, i, 0, MPI_INT);
        c[i].send = malloc(sizeof(int) * kInts);
        c[i].recv = malloc(sizeof(int) * kInts);
        for (size_t k = 0; k < kInts; ++k)
            c[i].send[k] = (int)k * 17 + rank * 101 + i, c[i].recv[k] = -1;
    }
    for (size_t k = 0; k < kInts; ++k) recv[k] = -1;
    ask(mode);
    start(&c[0], ALLTOALLV, 0, &r[0]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, g->comm, &r[1]);
    start(&c[1], ALLTOALLV, 1, &r[2]);
    int *const later = c[0].recv;
    c[0].recv = recv;
    blocking(&c[0], ALLTOALLV, 0);
    MPI_Barrier(g->comm);
    MPI_Ibarrier(MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    equal &= sum == p * (p - 1) / 2 && !memcmp(recv, later, sizeof(int) * kInts);
    ask("mpi");
    for (int i = 0; i < 2; ++i) {
        int *const got = i ? c[1].recv : later;
        for (size_t k = 0; k < kInts; ++k) right[k] = -1;
        c[i].recv = right;
        blocking(&c[i], ALLTOALLV, i);
        equal &= !memcmp(got, right, sizeof(int) * kInts);
        free(got);
        free(c[i].send);
    }
    free(recv);
    verdict("neighbourhood collectives among others", mode, equal);
}

/* A rank that expects less than it is sent reports it, and nobody else; the next call is right. */
static void disagreeing(const struct graph *g, const char *mode) {
    static struct call c;
    c.send = malloc(sizeof(int) * kInts);
    c.recv = malloc(sizeof(int) * kInts);
    MPI_Comm_set_errhandler(g->comm, MPI_ERRORS_RETURN);
    ask(mode);
    int right_errors = 1;
    for (int round = 0; round < 3; ++round) {
        describe(&c, g, ALLTOALLV, 0, 0, MPI_INT);
        int wrong = -1;
        for (int i = 0; i < g->ins && round == 1 && rank == p - 1; ++i)
            if (c.rn[i] > 2) wrong = i;
        if (wrong >= 0) c.rn[wrong] -= 2;
        int kind = MPI_SUCCESS;
        MPI_Error_class(blocking(&c, ALLTOALLV, 0), &kind);
        right_errors &= kind == (wrong >= 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    }
    verdict("an error of counts that disagree", mode, right_errors);
    free(c.send);
    free(c.recv);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    if (argc < 2 || !choose || !served) {
        fprintf(stderr, "usage: hopbine run neighbors MODE...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    right = malloc(sizeof(int) * kInts);
    MPI_Datatype pair, gapped;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 3 * sizeof(int), &gapped);
    MPI_Type_commit(&gapped);
    struct graph graphs[16];
    int n = 0;
    state = 11;
    for (int i = 0; i < 3; ++i) graphs[n++] = random_graph(2 * p * i);
    graphs[n++] = whole_graph();
    graphs[n++] = old_graph();
    for (int d = 1; d <= 3; ++d) graphs[n++] = grid(d, 1);
    graphs[n++] = grid(2, 0);
    for (int m = 1; m < argc; ++m) {
        for (int i = 0; i < n; ++i)
            for (int f = 0; f < FUNCTIONS; ++f)
                for (int pairs = 0; pairs < 2; ++pairs)
                    compare(&graphs[i], f, pairs, argv[m], gapped);
        among_others(&graphs[2], argv[m]);
        among_others(&graphs[3], argv[m]);
        if (!strcmp(argv[m], "joined") || !strcmp(argv[m], "direct"))
            disagreeing(&graphs[3], argv[m]);
    }
    for (int i = 0; i < n; ++i) MPI_Comm_free(&graphs[i].comm);
    MPI_Type_free(&pair);
    MPI_Type_free(&gapped);
    free(right);
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    MPI_Finalize();
    return failed != 0;
}
