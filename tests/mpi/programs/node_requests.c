/* Persistent collectives that the devices of a node may make by a kernel each, with a fake device
 * (tests/device/fake).
 *
 *   node_requests ROUNDS    (under hopbine run)    HOPBINE_TEST_DEVICE: the library to load
 *
 * Several requests are there at a time. Some are freed and made anew, and all are started, in
 * orders that each rank draws, with blocking and nonblocking calls and messages of the program's
 * own in between; a rank is late now and then. They are on two communicators. Each rank draws where
 * its buffers are: not all ranks may have been on a device before. Every element is compared, and
 * that others stay. Prints on rank 0 the kernels of a node's ranks and the graphs that were begun,
 * the bytes that hopbine has on the device, and "N passed, M failed". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALLREDUCE, REDUCE, REDUCE_SCATTER, BCAST, ALLGATHER, ALLTOALL, KINDS };
enum { MANY = 9, MOST = 8, ROOM = 2 << 20, GUARD = 64, MEMORIES = 3 };
static int rank, p, passed, failed;
static MPI_Comm again;           /* of the same ranks */
static unsigned common = 1, own; /* drawn alike by all ranks; by this one */
static void *(*alloc)(size_t, int), *(*twin)(const void *);
static long (*device_bytes)(void);
static int (*node_kernels)(void), (*replays)(void);

static unsigned draw(unsigned *from) {
    *from = *from * 1664525u + 1013904223u;
    return *from >> 16;
}

static const MPI_Datatype types[] = {MPI_INT32_T, MPI_UINT8_T, MPI_DOUBLE};
static const int widths[] = {4, 1, 8};
static const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN};

static struct call {
    MPI_Request request;
    int kind, n, type, op, root, in_place, counts[MOST];
    unsigned salt;
    char *in, *out; /* where they are, of these: [buffer][memory] */
    char *memory[2][MEMORIES];
} all[MANY];

/* Bytes that an operation keeps within a byte: at most 8 ranks. */
static int given(const struct call *c, int from, int i) {
    return (int)((c->salt + (unsigned)(from * 5 + i * 3 + i / 256)) % 31);
}
static int combined(const struct call *c, int i) {
    int out = given(c, 0, i);
    for (int r = 1; r < p; ++r) {
        const int next = given(c, r, i);
        out = c->op == 0 ? out + next : (c->op == 1) == (next > out) ? next : out;
    }
    return out;
}
static int before(const struct call *c, int r) {
    int sum = 0;
    for (int k = 0; k < r; ++k) sum += c->counts[k];
    return sum;
}

/* Elements that this rank gives, and gets. */
static int gives(const struct call *c) {
    return c->kind == REDUCE_SCATTER ? before(c, p) : c->kind == ALLTOALL ? c->n * p : c->n;
}
static int gets(const struct call *c) {
    switch (c->kind) {
    case REDUCE: return rank == c->root ? c->n : 0;
    case REDUCE_SCATTER: return c->counts[rank];
    case ALLGATHER:
    case ALLTOALL: return c->n * p;
    default: return c->n;
    }
}
static int wanted(const struct call *c, int i) {
    switch (c->kind) {
    case REDUCE_SCATTER: return combined(c, before(c, rank) + i);
    case BCAST: return given(c, c->root, i);
    case ALLGATHER: return given(c, i / c->n, i % c->n);
    case ALLTOALL: return given(c, i / c->n, rank * c->n + i % c->n);
    default: return combined(c, i);
    }
}

static void put(const struct call *c, char *at, int i, int value) {
    if (c->type == 0) ((int *)at)[i] = value;
    if (c->type == 1) ((unsigned char *)at)[i] = (unsigned char)value;
    if (c->type == 2) ((double *)at)[i] = value;
}
static int read_at(const struct call *c, const char *at, int i) {
    return c->type == 0   ? ((const int *)at)[i]
           : c->type == 1 ? ((const unsigned char *)at)[i]
                          : (int)((const double *)at)[i];
}

/* Host memory twice as often as each of the device's. */
static char *drawn(struct call *c, int b) {
    return c->memory[b][draw(&own) % 4 ? draw(&own) % MEMORIES : 0] + GUARD + 8 * (draw(&own) % 4);
}

static void make(struct call *c) {
    static const int lengths[] = {0, 7, 300, 5000, 40000, 70000};
    c->kind = (int)(draw(&common) % KINDS);
    c->type = (int)(draw(&common) % 3);
    c->op = (int)(draw(&common) % 3);
    c->root = (int)(draw(&common) % (unsigned)p);
    c->in_place = draw(&common) % 3 == 0;
    c->n = lengths[draw(&common) % 6] + (int)(draw(&common) % 4);
    if (c->kind >= ALLGATHER) c->n = 1 + c->n / p;
    for (int r = 0; r < p; ++r) c->counts[r] = (c->n + r * 3) / p * (int)(draw(&common) % 3) / 2;
    c->in = drawn(c, 0), c->out = drawn(c, 1);
    void *const in = c->in_place ? MPI_IN_PLACE : c->in;
    const MPI_Datatype t = types[c->type];
    const MPI_Op op = ops[c->op];
    const MPI_Comm w = draw(&common) % 3 ? MPI_COMM_WORLD : again;
    MPI_Request *const to = &c->request;
    switch (c->kind) {
    case ALLREDUCE: MPI_Allreduce_init(in, c->out, c->n, t, op, w, MPI_INFO_NULL, to); break;
    case REDUCE:
        MPI_Reduce_init(rank == c->root ? in : c->in, c->out, c->n, t, op, c->root, w,
                        MPI_INFO_NULL, to);
        break;
    case REDUCE_SCATTER:
        MPI_Reduce_scatter_init(in, c->out, c->counts, t, op, w, MPI_INFO_NULL, to);
        break;
    case BCAST: MPI_Bcast_init(c->out, c->n, t, c->root, w, MPI_INFO_NULL, to); break;
    case ALLGATHER: MPI_Allgather_init(in, c->n, t, c->out, c->n, t, w, MPI_INFO_NULL, to); break;
    default: MPI_Alltoall_init(in, c->n, t, c->out, c->n, t, w, MPI_INFO_NULL, to);
    }
}

static int is_in_place(const struct call *c) {
    return c->kind == BCAST || (c->in_place && (c->kind != REDUCE || rank == c->root));
}

static void fill(struct call *c) {
    c->salt = draw(&common);
    char *const in = twin(c->in), *const out = twin(c->out);
    memset(out - GUARD, 0x5a, (size_t)(gets(c) * widths[c->type]) + 2 * GUARD);
    char *const from = is_in_place(c) ? out : in;
    const int at = is_in_place(c) && c->kind == ALLGATHER ? rank * c->n : 0;
    if (c->kind == BCAST && rank != c->root) return;
    for (int i = 0; i < gives(c); ++i) put(c, from, at + i, given(c, rank, i));
}

static void check(struct call *c, int k) {
    const char *const out = twin(c->out);
    const int width = widths[c->type], in_place = is_in_place(c) && c->kind == REDUCE_SCATTER;
    int wrong = 0;
    for (int i = 0; i < gets(c); ++i) wrong += read_at(c, out, i) != wanted(c, i);
    for (int i = 1; i <= GUARD; ++i) {
        wrong += out[-i] != 0x5a;
        wrong += !in_place && out[gets(c) * width + i - 1] != 0x5a;
    }
    if (wrong)
        fprintf(stderr, "rank %d: request %d, collective %d of %d elements: %d are wrong\n", rank,
                k, c->kind, c->n, wrong);
    *(wrong ? &failed : &passed) += 1;
}

/* The numbers of all requests, in an order of this rank's own. */
static void shuffle(int *order) {
    for (int k = 0; k < MANY; ++k) {
        const int to = (int)(draw(&own) % (unsigned)(k + 1));
        order[k] = order[to];
        order[to] = k;
    }
}

/* A blocking call on the device, which all make after as many starts. */
static void call_in_between(struct call *c) {
    int *const at = (int *)(c->memory[0][1] + ROOM - 4096);
    for (int i = 0; i < 500; ++i) ((int *)twin(at))[i] = rank + i;
    MPI_Allreduce(MPI_IN_PLACE, at, 500, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int wrong = 0;
    for (int i = 0; i < 500; ++i) wrong += ((int *)twin(at))[i] != p * (p - 1) / 2 + p * i;
    *(wrong ? &failed : &passed) += 1;
}

static void finish(MPI_Request *requests, int n, int way) {
    int flag = 0, index;
    switch (way) {
    case 0: MPI_Waitall(n, requests, MPI_STATUSES_IGNORE); break;
    case 1:
        /* MPICH 5.0.2's MPI_Testall fails where one of its own collectives is under way. */
        for (int k = 0; k < n; k += flag) MPI_Test(&requests[k], &flag, MPI_STATUS_IGNORE);
        break;
    case 2:
        for (int k = 0; k < n; ++k) MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
        break;
    default:
        for (int k = n; k-- > 0;) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
}

static void start_all(int way) {
    int order[MANY], token = -1, mine = rank, sum = 0;
    MPI_Request under_way[MANY + 2];
    const int middle = (int)(draw(&common) % MANY);
    shuffle(order);
    for (int k = 0; k < MANY; ++k) fill(&all[k]);
    MPI_Irecv(&token, 1, MPI_INT, (rank + p - 1) % p, way, MPI_COMM_WORLD, &under_way[MANY]);
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &under_way[MANY + 1]);
    for (int k = 0; k < MANY; ++k) {
        MPI_Start(&all[order[k]].request);
        under_way[k] = all[order[k]].request;
        if (draw(&own) % 40 == 0) usleep(30000);
        if (k == middle) call_in_between(&all[0]);
    }
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % p, way, MPI_COMM_WORLD);
    finish(under_way, MANY + 2, way);
    *(token == (rank + p - 1) % p && sum == p * (p - 1) / 2 ? &passed : &failed) += 1;
    for (int k = 0; k < MANY; ++k) check(&all[k], k);
}

/* Frees some requests, the same on all ranks in an order of each, and makes others. */
static void replace(void) {
    int order[MANY];
    const unsigned gone = draw(&common);
    shuffle(order);
    for (int k = 0; k < MANY; ++k)
        if (gone >> order[k] & 1) MPI_Request_free(&all[order[k]].request);
    for (int k = 0; k < MANY; ++k)
        if (gone >> k & 1) make(&all[k]);
}

static void load(void) {
    void *const library = dlopen(getenv("HOPBINE_TEST_DEVICE"), RTLD_NOW | RTLD_LOCAL);
    if (!library) fprintf(stderr, "%s\n", dlerror()), exit(3);
    *(void **)&alloc = dlsym(library, "fake_alloc");
    *(void **)&twin = dlsym(library, "fake_twin");
    *(void **)&device_bytes = dlsym(library, "fake_device_bytes");
    *(void **)&node_kernels = dlsym(library, "fake_node_kernels");
    *(void **)&replays = dlsym(library, "fake_replays");
    for (int k = 0; k < MANY; ++k)
        for (int b = 0; b < 2; ++b)
            for (int m = 0; m < MEMORIES; ++m)
                all[k].memory[b][m] = m ? alloc(ROOM, m == 1 ? 0 : 2) : malloc(ROOM);
}

int main(int argc, char **argv) {
    load(); /* before MPI_Init: hopbine is to know that persistent calls may be on a device */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (argc < 2 || p > MOST) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    const long program = device_bytes();
    const char *const seed = getenv("HOPBINE_TEST_SEED");
    common += seed ? (unsigned)atoi(seed) : 0;
    own = common * 77u + (unsigned)rank;
    for (int k = 0; k < MANY; ++k) make(&all[k]);
    for (int round = 0; round < atoi(argv[1]); ++round) {
        start_all(round % 4);
        if (round % 3 == 2) replace();
    }
    for (int k = 1; k < MANY; ++k) MPI_Request_free(&all[k].request); /* one is left */
    int sum[2], mine[2] = {passed, failed};
    MPI_Reduce(mine, sum, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("kernels: %d\ngraphs: %d\nbytes: %ld\n%d passed, %d failed\n", node_kernels(),
               replays(), device_bytes() - program, sum[0], sum[1]);
    MPI_Comm_free(&again);
    MPI_Finalize();
    return failed > 0;
}
