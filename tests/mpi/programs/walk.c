/* Runs algorithms with every shape of call and compares their results with the MPI library's own.
 *
 *   walk COLLECTIVE:ALGORITHM[/PARAMETER=VALUE]:NEEDS_COMMUTATIVE:PARTS...   (under hopbine run)
 *
 * PARTS: 1 when it moves parts of blocks, which it cannot in gatherv and scatterv. Prints a line
 * for each and "N passed, M failed" on rank 0; the exit code is 1 when anything failed. Whole
 * buffers are compared: bytes in the gaps of a datatype must stay unchanged.
 * HOPBINE_TEST_DEVICE: a library of tests/device/fake. Each rank draws for each call which of its
 * buffers are device memory, managed memory or neither. Fewer shapes then, of sizes in turns.
 * Linked with aware_messages.c, which is an MPI library that takes device memory: calls of plain
 * data whose buffers are all there are to be made without a copy to or from it.
 * -DLARGE=N: of N ints, from and to one root.
 * -DLIBRARY_OPERATIONS=1: the MPI library serves user-defined operations. */
#include <dlfcn.h>
#include <stdio.h>

#include "drawn_memory.h"
#include "forms.h"
#include "kinds.h"

#ifdef FORM_PERSISTENT
enum { requests = 1 }; /* kernels of a node's ranks may serve those, whatever the algorithm */
#else
enum { requests = 0 };
#endif
#ifndef LARGE
#define LARGE 0
#endif
#ifndef LIBRARY_OPERATIONS
#define LIBRARY_OPERATIONS 0
#endif

enum { WIDTH = LARGE ? 8 : GAP_EXTENT }; /* bytes of an element in a buffer */
static int rank, p, passed, failed;
static int (*taken)(void), kernels,
    direct_calls; /* aware_messages.c; hopbine reduces on a device */
static int (*choose)(const char *);
static const char *(*served)(void);

typedef struct {
    const char *collective, *algorithm;
    int n, root, in_place, uneven;
    MPI_Datatype send_type, recv_type;
    MPI_Op op;
} shape;

static int is(const shape *s, const char *name) { return !strcmp(s->collective, name); }

static int reduces(const shape *s) {
    return is(s, "reduce") || is(s, "allreduce") || is(s, "reduce_scatter") || is(s, "scan") ||
           is(s, "exscan");
}

/* Whether hopbine is to work on this rank's buffers where they are, on the device. */
static int is_direct(const shape *s) {
    const int sizes_unknown =
        is(s, "alltoallv") || ((is(s, "gather") || is(s, "scatter")) && s->uneven);
    const int plain = (s->send_type == MPI_INT || s->send_type == MPI_DOUBLE) &&
                      (s->recv_type == MPI_INT || s->recv_type == MPI_DOUBLE);
    return taken && all_on_device() && plain && !sizes_unknown && (!reduces(s) || kernels);
}

static int units(const shape *s, int b) { return s->uneven ? (s->n + b * 3) % (s->n + 2) : s->n; }

/* Units that rank `from` sends to rank `to` in an alltoallv: equal, of all sizes with every fourth
 * 0, or only to neighbours. In place both directions have the same number. */
static int pair_units(const shape *s, int from, int to) {
    if (s->in_place && from > to) return pair_units(s, to, from);
    if (s->uneven == 1) return (from * 3 + to) % 4 ? (s->n + from * 7 + to * 3) % (s->n + 2) : 0;
    return s->uneven == 2 && (to - from + p) % p > 1 ? 0 : s->n;
}

/* Blocks have gaps between them, in an order that differs from rank to rank. */
static void alltoallv(const shape *s, void *send, void *recv) {
    int counts[2][64], places[2][64];
    for (int r = 0; r < p; ++r) {
        counts[0][r] = pair_units(s, rank, r);
        counts[1][r] = pair_units(s, r, rank);
        places[0][r] = (r * (p - 1) + rank) % p * (s->n + 3);
        places[1][r] = (p - 1 - (r + rank) % p) * (s->n + 3) + 1;
    }
    if (s->in_place)
        MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, recv, counts[1], places[1],
                      s->recv_type, MPI_COMM_WORLD);
    else
        MPI_Alltoallv(send, counts[0], places[0], s->send_type, recv, counts[1], places[1],
                      s->recv_type, MPI_COMM_WORLD);
}

/* Blocks have gaps between them, the last rank's first. */
static void allgatherv(const shape *s, void *send, void *recv) {
    int counts[64], places[64];
    for (int r = 0; r < p; ++r) {
        counts[r] = units(s, r);
        places[r] = (p - 1 - r) * (s->n + 3) + 1;
    }
    MPI_Allgatherv(s->in_place ? MPI_IN_PLACE : send, counts[rank], s->send_type, recv, counts,
                   places, s->recv_type, MPI_COMM_WORLD);
}

/* At the root blocks have gaps between them, the last rank's first; elsewhere counts and
 * displacements are not significant. */
static void through_root(const shape *s, void *send, void *recv) {
    int counts[64], places[64], root = rank == s->root;
    for (int r = 0; r < p; ++r) {
        counts[r] = units(s, r);
        places[r] = (p - 1 - r) * (s->n + 3) + 1;
    }
    int *n = root ? counts : NULL, *at = root ? places : NULL;
    if (is(s, "gather"))
        MPI_Gatherv(root && s->in_place ? MPI_IN_PLACE : send, counts[rank], s->send_type, recv, n,
                    at, s->recv_type, s->root, MPI_COMM_WORLD);
    else
        MPI_Scatterv(send, n, at, s->send_type, root && s->in_place ? MPI_IN_PLACE : recv,
                     counts[rank], s->recv_type, s->root, MPI_COMM_WORLD);
}

static void call(const shape *s, void *send, void *recv) {
    MPI_Comm c = MPI_COMM_WORLD;
    void *in = s->in_place ? MPI_IN_PLACE : send;
    int root = rank == s->root;
    if (is(s, "bcast"))
        MPI_Bcast(recv, s->n, s->recv_type, s->root, c);
    else if (is(s, "reduce"))
        MPI_Reduce(root          ? in
                   : s->in_place ? recv
                                 : send,
                   recv, s->n, s->recv_type, s->op, s->root, c);
    else if (is(s, "allreduce"))
        MPI_Allreduce(in, recv, s->n, s->recv_type, s->op, c);
    else if (is(s, "scan"))
        MPI_Scan(in, recv, s->n, s->recv_type, s->op, c);
    else if (is(s, "exscan"))
        MPI_Exscan(in, recv, s->n, s->recv_type, s->op, c);
    else if (is(s, "barrier"))
        MPI_Barrier(c);
    else if ((is(s, "gather") || is(s, "scatter")) && s->uneven)
        through_root(s, send, recv);
    else if (is(s, "gather"))
        MPI_Gather(root ? in : send, s->n, s->send_type, recv, s->n, s->recv_type, s->root, c);
    else if (is(s, "scatter"))
        MPI_Scatter(send, s->n, s->send_type, root && s->in_place ? MPI_IN_PLACE : recv, s->n,
                    s->recv_type, s->root, c);
    else if (is(s, "allgather") && s->uneven)
        allgatherv(s, send, recv);
    else if (is(s, "allgather"))
        MPI_Allgather(in, s->n, s->send_type, recv, s->n, s->recv_type, c);
    else if (is(s, "alltoall"))
        MPI_Alltoall(in, s->n, s->send_type, recv, s->n, s->recv_type, c);
    else if (is(s, "alltoallv"))
        alltoallv(s, send, recv);
    else if (s->uneven) {
        int counts[64];
        for (int b = 0; b < p; ++b) counts[b] = units(s, b);
        MPI_Reduce_scatter(in, recv, counts, s->recv_type, s->op, c);
    } else
        MPI_Reduce_scatter_block(in, recv, s->n, s->recv_type, s->op, c);
}

static void fill(char *buffer, size_t bytes, MPI_Datatype type, unsigned seed) {
    for (size_t i = 0; i + 8 <= bytes; i += 4) {
        seed = seed * 1664525u + 1013904223u;
        int value = (int)(seed >> 16) % 997;
        if (type == MPI_DOUBLE) {
            double d = value;
            if (i % 8 == 0) memcpy(buffer + i, &d, 8);
        } else
            memcpy(buffer + i, &value, 4);
    }
}

/* Computes the reference by the library's allreduce: MPI_Reduce of several MPICH versions crashes
 * on datatypes with a gap in front, or in place. */
static void reduce_by_allreduce(const shape *s, void *send, void *recv, size_t bytes) {
    char *answer = malloc(bytes);
    memcpy(answer, recv, bytes);
    choose("allreduce=mpi");
    MPI_Allreduce(s->in_place ? recv : send, answer, s->n, s->recv_type, s->op, MPI_COMM_WORLD);
    if (rank == s->root) memcpy(recv, answer, bytes);
    free(answer);
}

static void try_shape(const shape *s) {
    size_t bytes = (size_t)(s->n + 4) * (size_t)p * WIDTH + 64;
    char *buffers = malloc(6 * bytes), *send = buffers,
         *recv[2] = {buffers + bytes, buffers + 2 * bytes}, spec[200];
    for (int k = 0; k < 2; ++k) {
        memset(send, 0, bytes);
        memset(recv[k], 0, bytes);
        fill(send, bytes, s->send_type, 17u + (unsigned)rank);
        fill(recv[k], bytes, s->recv_type, 71u + (unsigned)rank);
        snprintf(spec, sizeof spec, "%s=%s", s->collective, k ? s->algorithm : "mpi");
        if (choose(spec)) MPI_Abort(MPI_COMM_WORLD, 2);
        if (!k && is(s, "reduce"))
            reduce_by_allreduce(s, send, recv[0], bytes);
        else if (k) {
            char *const there[2] = {drawn_memory(0, send, bytes), drawn_memory(1, recv[1], bytes)};
            const int before = has_device() ? device_copies() : 0;
            call(s, there[0], there[1]);
            if (is_direct(s) && ++direct_calls && device_copies() != before) {
                fprintf(stderr, "rank %d: %s %s was to be direct\n", rank, s->collective, spec);
                ++failed;
            }
            take_back(0, send, bytes);
            take_back(1, recv[1], bytes);
        } else
            call(s, send, recv[0]);
        const char *by =
                       LIBRARY_OPERATIONS && reduces(s) && s->op != MPI_SUM ? "mpi" : s->algorithm,
                   *did = served();
        if (k && p > 1 && strncmp(did, by, strlen(by)) &&
            !(requests && !strcmp(did, "gpu_kernels"))) {
            fprintf(stderr, "rank %d: %s was to serve, %s did\n", rank, by, did);
            ++failed;
        }
    }
    int same = !memcmp(recv[0], recv[1], bytes), all;
    choose("allreduce=mpi");
    MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!same)
        fprintf(
            stderr,
            "rank %d: %s %s differs: n=%d root=%d in_place=%d uneven=%d send=%d recv=%d op=%d\n",
            rank, s->collective, s->algorithm, s->n, s->root, s->in_place, s->uneven,
            s->send_type == gap_type, s->recv_type == gap_type, s->op == in_order_op);
    *(all ? &passed : &failed) += 1;
    free(buffers);
}

/* Runs one algorithm with every shape of call. */
static void walk(const char *collective, const char *algorithm, int needs_commutative, int parts) {
    shape s = {.collective = collective, .algorithm = algorithm};
    int rooted = is(&s, "bcast") || is(&s, "reduce") || is(&s, "gather") || is(&s, "scatter");
    int varies = is(&s, "reduce_scatter") || is(&s, "allgather") ||
                 ((is(&s, "gather") || is(&s, "scatter")) && !parts);
    const MPI_Datatype types[][2] = {{MPI_INT, MPI_INT},
                                     {MPI_DOUBLE, MPI_DOUBLE},
                                     {pair_type, gap_type},
                                     {gap_type, pair_type},
                                     {gap_type, gap_type}};
    const int all[] = {0, 1, 2, p - 1, p + 3, 500}, in_turns[] = {50, 1, p + 3};
    static unsigned turn;
    /* Roots take turns: each meets every size and every two datatypes, but not all of both
     * together. All do with HOPBINE_TEST_ALL, and where few sizes are tried. */
    const int kinds = sizeof types / sizeof *types, fewest = p < kinds ? p : kinds,
              turns = LARGE || has_device() || getenv("HOPBINE_TEST_ALL") ? 1 : fewest;
    /* MPICH's reduce_scatter of long vectors in place writes to all of the buffer. */
    const int places = !is(&s, "bcast") && !(LARGE && is(&s, "reduce_scatter"));
    const int tried = has_device() ? 1 : sizeof all / sizeof *all;
    /* On a device every other row: the others have the same copies. */
    for (int t = 0; t < (LARGE ? 1 : kinds); t += 1 + has_device())
        for (int k = 0; k < tried; ++k)
            for (s.root = rooted && LARGE ? p - 1 : 0; s.root < (rooted ? p : 1); ++s.root) {
                if (rooted && (s.root + t + k) % turns) continue;
                for (s.in_place = 0; s.in_place <= places; ++s.in_place)
                    for (s.uneven = 0; s.uneven <= (is(&s, "alltoallv") ? 2 : varies); ++s.uneven)
                        for (int in_order = 0;
                             in_order < (reduces(&s) && t > 1 && !needs_commutative ? 2 : 1);
                             ++in_order) {
                            s.n = LARGE ? LARGE : has_device() ? in_turns[turn++ % 3] : all[k];
                            s.send_type = types[t][0];
                            s.recv_type = types[t][1];
                            if (reduces(&s)) s.send_type = s.recv_type;
                            s.op = t < 2 ? MPI_SUM : in_order ? in_order_op : swapping_op;
                            if (is(&s, "bcast") && rank % 2 && t > 1)
                                s.recv_type = types[t][0]; /* one signature, two datatypes */
                            try_shape(&s);
                        }
            }
}

/* The first call on device memory, which tries the MPI library, and one that reduces. The first is
 * blocking: by it the ranks agree on peers. */
static void try_device(void) {
    char *const memory = drawn_from[0][DEVICE];
    *(void **)&taken = readable_of ? dlsym(RTLD_DEFAULT, "aware_taken") : NULL; /* a fake device */
    if (!taken) return;
    choose("bcast=knomial,allreduce=knomial");
    (MPI_Bcast)(memory, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, memory, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    kernels = device_kernels() > 0;
    if (rank == 0) printf("kernels: %d\n", kernels);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    if (argc < 2 || !choose || !served) {
        fprintf(stderr,
                "usage: hopbine run walk "
                "COLLECTIVE:ALGORITHM[/PARAMETER=VALUE]:NEEDS_COMMUTATIVE:PARTS...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    make_kinds();
    load_device(rank, (size_t)((LARGE ? LARGE + 4 : 54) * p) * WIDTH + 64);
    if (has_device()) try_device();
    for (int i = 1; i < argc; ++i) {
        char *collective = strtok(argv[i], ":"), *algorithm = strtok(NULL, ":"),
             *needs_commutative = strtok(NULL, ":"), *parts = strtok(NULL, ":");
        int before = passed;
        for (char *c = strchr(algorithm, '/'); c; c = strchr(c, '/')) *c = ':';
        walk(collective, algorithm, needs_commutative[0] == '1', parts[0] == '1');
        if (rank == 0) printf("%s %s %d\n", collective, algorithm, passed - before);
    }
    if (has_device() && !device_copies()) ++failed;
    int all_direct = 0;
    MPI_Allreduce(&direct_calls, &all_direct, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    /* By messages of the device's memory, or by kernels that read one another's. */
    if (taken && (!all_direct || taken() + node_kernels() < direct_calls)) ++failed;
    if (rank == 0 && taken) printf("kernels of a node: %d\n", node_kernels());
    long mine = taken ? peer_bytes() : 0, peers = 0;
    MPI_Reduce(&mine, &peers, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && taken) printf("copied from other processes' memory: %ld bytes\n", peers);
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    free_kinds();
    MPI_Finalize();
    return failed > 0;
}
