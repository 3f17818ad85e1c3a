/* Collectives on the memory of a fake device (tests/device/fake). Arguments: a mode, the library to
 * load, and, where memory changes, what hopbine is to serve of the calls: 1: all, 0: none; else
 * some. Prints "N passed, M failed" on rank 0. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 16, START = 4096, BLOCK = 3, FILL = 0x5a };
enum coll {
    BCAST,
    REDUCE,
    ALLREDUCE,
    GATHER,
    SCATTER,
    GATHERV,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    ALLTOALL,
    ALLTOALLV,
    COLLS
};
static const char *const names[] = {"bcast",
                                    "reduce",
                                    "allreduce",
                                    "gather",
                                    "scatter",
                                    "gatherv",
                                    "scatterv",
                                    "allgather",
                                    "allgatherv",
                                    "reduce_scatter",
                                    "reduce_scatter_block",
                                    "alltoall",
                                    "alltoallv"};

static int rank, p, passed, failed;
static void *(*alloc_)(size_t, int), *(*twin_)(const void *);
static int (*questions_)(void), (*copies_)(void), (*depth_)(void);
static const char *(*last_served)(void);
static char *device[2], *managed[2], *host[2]; /* send and receive buffers */
static char image[2][BYTES], want[BYTES];

/* Elements: one int, or two with gaps before, between and behind. For reductions no gap before:
 * MPICH 5.0 frees memory that it has not allocated when it reduces such a datatype. */
struct form {
    MPI_Datatype type;
    MPI_Op sum;
    long extent;
    int n, at[2];
};
static struct form forms[3];

static void add_gapped(void *in, void *out, int *n, MPI_Datatype *t) {
    (void)t;
    for (int i = 0; i < *n; ++i)
        for (int k = 0; k < 2; ++k)
            *(int *)((char *)out + 20 * i + 8 * k) += *(int *)((char *)in + 20 * i + 8 * k);
}

static struct form gapped(int first, MPI_Op sum) {
    struct form f = {MPI_DATATYPE_NULL, sum, 20, 2, {first, first + 8}};
    MPI_Datatype parts;
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {first, first + 8};
    MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &parts);
    MPI_Type_create_resized(parts, 0, 20, &f.type);
    MPI_Type_commit(&f.type);
    MPI_Type_free(&parts);
    return f;
}

static void make_forms(void) {
    MPI_Op sum;
    MPI_Op_create(add_gapped, 1, &sum);
    forms[0] = (struct form){MPI_INT, MPI_SUM, 4, 1, {0, 0}};
    forms[1] = gapped(4, MPI_OP_NULL);
    forms[2] = gapped(0, sum);
}

static void expect(int right, const char *what, const char *of) {
    if (!right && failed < 5) fprintf(stderr, "rank %d: %s: %s\n", rank, of, what);
    *(right ? &passed : &failed) += 1;
}

static void load(const char *library) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) fprintf(stderr, "%s\n", dlerror()), exit(3);
    *(void **)&alloc_ = dlsym(handle, "fake_alloc");
    *(void **)&twin_ = dlsym(handle, "fake_twin");
    *(void **)&questions_ = dlsym(handle, "fake_questions");
    *(void **)&copies_ = dlsym(handle, "fake_copies");
    *(void **)&depth_ = dlsym(handle, "fake_depth");
    for (int i = 0; i < 2; ++i) device[i] = alloc_(BYTES, 0), managed[i] = alloc_(BYTES, 1);
}

static char *readable(char *buffer) { return twin_ ? twin_(buffer) : buffer; }

static int value(int r, int i) { return 1000 * r + 7 * i; }
static void put(const struct form *f, char *to, long element, int v) {
    for (int k = 0; k < f->n; ++k) *(int *)(to + START + element * f->extent + f->at[k]) = v + k;
}
/* The sum of all ranks' values. */
static void put_sum(const struct form *f, char *to, long element, int i) {
    for (int k = 0; k < f->n; ++k)
        *(int *)(to + START + element * f->extent + f->at[k]) =
            p * (p - 1) / 2 * 1000 + p * (7 * i + k);
}
static int some(int r) { return 1 + r % 3; }
static int between(int from, int to) { return 1 + (from + to) % 3; }
static int before(int r) { return r ? some(r - 1) + before(r - 1) : 0; }

/* Makes one call on `to_send` and `to_receive`. Right if all data arrived and nothing else
 * changed. */
static void call(enum coll c, int form, int in_place, char *to_send, char *to_receive,
                 MPI_Comm comm) {
    const int reduces =
        c == REDUCE || c == ALLREDUCE || c == REDUCE_SCATTER || c == REDUCE_SCATTER_BLOCK;
    const struct form *const f = &forms[form && reduces ? 2 : form];
    const int root = p - 1, at_root = rank == root;
    int counts[64], places[64], counts2[64], places2[64];
    char *const S = image[0], *const R = image[1];
    memset(image, FILL, sizeof image);
    memset(want, FILL, sizeof want);
    char *const own = in_place ? R : S; /* has this rank's contribution */
    for (int r = 0; r < p; ++r)
        counts[r] = some(r), places[r] = 5 * r, counts2[r] = 0, places2[r] = 0;
    int wanted = 1; /* whether the call writes this rank's receive buffer */
    switch (c) {
    case BCAST:
        for (int i = 0; i < BLOCK; ++i)
            put(f, want, i, value(root, i)), at_root ? put(f, R, i, value(root, i)) : (void)0;
        break;
    case REDUCE:
    case ALLREDUCE:
        wanted = c == ALLREDUCE || at_root;
        in_place = in_place && wanted;
        for (int i = 0; i < BLOCK; ++i)
            put(f, in_place ? R : S, i, value(rank, i)), wanted ? put_sum(f, want, i, i) : (void)0;
        break;
    case GATHER:
    case ALLGATHER:
    case GATHERV:
    case ALLGATHERV: {
        const int v = c == GATHERV || c == ALLGATHERV;
        wanted = c == ALLGATHER || c == ALLGATHERV || at_root;
        in_place = in_place && wanted;
        for (int i = 0; i < (v ? some(rank) : BLOCK); ++i)
            put(f, in_place ? R : S, in_place ? (v ? 5 : BLOCK) * rank + i : i, value(rank, i));
        for (int r = 0; wanted && r < p; ++r)
            for (int i = 0; i < (v ? some(r) : BLOCK); ++i)
                put(f, want, (v ? 5 : BLOCK) * r + i, value(r, i));
        break;
    }
    case SCATTER:
    case SCATTERV: {
        const int v = c == SCATTERV;
        in_place = in_place && at_root;
        wanted = !in_place;
        for (int r = 0; at_root && r < p; ++r)
            for (int i = 0; i < (v ? some(r) : BLOCK); ++i)
                put(f, S, (v ? 5 : BLOCK) * r + i, value(r, i));
        for (int i = 0; wanted && i < (v ? some(rank) : BLOCK); ++i)
            put(f, want, i, value(rank, i));
        break;
    }
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK: {
        const int v = c == REDUCE_SCATTER, n = v ? some(rank) : BLOCK,
                  first = v ? before(rank) : BLOCK * rank;
        const int whole = v ? before(p) : BLOCK * p;
        for (int i = 0; i < whole; ++i) put(f, own, i, value(rank, i));
        if (in_place) memcpy(want, R, BYTES);
        for (int i = 0; i < n; ++i) put_sum(f, want, i, first + i);
        break;
    }
    default: {
        const int v = c == ALLTOALLV;
        for (int r = 0; r < p; ++r) {
            counts[r] = between(r, rank), counts2[r] = between(rank, r), places2[r] = 4 * r;
            for (int i = 0; i < (v ? between(rank, r) : BLOCK); ++i)
                put(f, own, (v ? in_place ? 5 : 4 : BLOCK) * r + i, value(100 * rank + r, i));
            for (int i = 0; i < (v ? between(r, rank) : BLOCK); ++i)
                put(f, want, (v ? 5 : BLOCK) * r + i, value(100 * r + rank, i));
        }
    }
    }
    if (!wanted) memcpy(want, R, BYTES);
    memcpy(readable(to_send), S, BYTES);
    memcpy(readable(to_receive), R, BYTES);
    void *s = in_place && c != SCATTER && c != SCATTERV ? MPI_IN_PLACE : to_send + START;
    void *b = in_place && (c == SCATTER || c == SCATTERV) ? MPI_IN_PLACE : to_receive + START;
    MPI_Datatype t = f->type;
    switch (c) {
    case BCAST: MPI_Bcast(b, BLOCK, t, root, comm); break;
    case REDUCE: MPI_Reduce(s, b, BLOCK, t, f->sum, root, comm); break;
    case ALLREDUCE: MPI_Allreduce(s, b, BLOCK, t, f->sum, comm); break;
    case GATHER: MPI_Gather(s, BLOCK, t, b, BLOCK, t, root, comm); break;
    case SCATTER: MPI_Scatter(s, BLOCK, t, b, BLOCK, t, root, comm); break;
    case GATHERV: MPI_Gatherv(s, some(rank), t, b, counts, places, t, root, comm); break;
    case SCATTERV: MPI_Scatterv(s, counts, places, t, b, some(rank), t, root, comm); break;
    case ALLGATHER: MPI_Allgather(s, BLOCK, t, b, BLOCK, t, comm); break;
    case ALLGATHERV: MPI_Allgatherv(s, some(rank), t, b, counts, places, t, comm); break;
    case REDUCE_SCATTER: MPI_Reduce_scatter(s, b, counts, t, f->sum, comm); break;
    case REDUCE_SCATTER_BLOCK: MPI_Reduce_scatter_block(s, b, BLOCK, t, f->sum, comm); break;
    case ALLTOALL: MPI_Alltoall(s, BLOCK, t, b, BLOCK, t, comm); break;
    default: MPI_Alltoallv(s, counts2, places2, t, b, counts, places, t, comm);
    }
    const int same =
        !memcmp(readable(to_receive), want, BYTES) && !memcmp(readable(to_send), S, BYTES);
    expect(same, in_place ? "wrong, in place" : "wrong", names[c]);
}

/* Makes calls 1 and 2 of a new communicator: the next call is between two agreements. */
static MPI_Comm seasoned(void) {
    MPI_Comm c;
    int one = 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    for (int i = 0; i < 2; ++i) MPI_Bcast(&one, 1, MPI_INT, 0, c);
    return c;
}

/* Calls every collective as the first call of a communicator: the MPI library serves it. If
 * `mixed`, odd ranks use host memory. */
static void first_calls(int mixed) {
    for (int c = 0; c < COLLS; ++c)
        for (int form = 0; form < 2; ++form)
            for (int in_place = 0; in_place < 1 + (c != BCAST); ++in_place) {
                MPI_Comm comm;
                char **const memory = mixed && rank % 2 ? host : device;
                MPI_Comm_dup(MPI_COMM_WORLD, &comm);
                call(c, form, in_place, memory[0], memory[1], comm);
                expect(!strcmp(last_served(), "mpi"), last_served(), names[c]);
                MPI_Comm_free(&comm);
            }
}

/* Calls every collective between two agreements: hopbine serves it with copies. */
static void later_calls(void) {
    for (int c = 0; c < COLLS; ++c)
        for (int form = 0; form < 2; ++form)
            for (int in_place = 0; in_place < 1 + (c != BCAST); ++in_place)
                for (int where = 0; where < 5; ++where) {
                    MPI_Comm comm = seasoned();
                    const int before_it = copies_();
                    char *s = where == 1 || (where == 3 && rank % 2) ? host[0]
                              : where == 4                           ? managed[0]
                                                                     : device[0];
                    char *r = where == 2 || (where == 3 && rank % 2) ? host[1]
                              : where == 4                           ? managed[1]
                                                                     : device[1];
                    call(c, form, in_place, s, r, comm);
                    expect(strcmp(last_served(), "mpi"), last_served(), names[c]);
                    if (where == 0) expect(copies_() > before_it, "no copies", names[c]);
                    if (where == 4)
                        expect(copies_() == before_it, "copies of what the CPU can read", names[c]);
                    MPI_Comm_free(&comm);
                }
}

/* Uses a datatype of absolute addresses in two allocations. */
static void absolute(void) {
    MPI_Datatype placed;
    const int lengths[2] = {2, 3};
    MPI_Aint places[2];
    MPI_Get_address(device[0] + START, &places[0]);
    MPI_Get_address(device[1] + START, &places[1]);
    MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &placed);
    MPI_Type_commit(&placed);
    MPI_Comm comm = seasoned();
    int *a = (int *)readable(device[0] + START), *b = (int *)readable(device[1] + START);
    for (int i = 0; i < 5; ++i) *(i < 2 ? a + i : b + i - 2) = rank ? -1 : i + 1;
    a[2] = b[3] = 99;
    MPI_Bcast(MPI_BOTTOM, 1, placed, 0, comm);
    expect(a[0] == 1 && a[1] == 2 && b[0] == 3 && b[2] == 5 && a[2] == 99 && b[3] == 99, "wrong",
           "MPI_BOTTOM");
    expect(strcmp(last_served(), "mpi"), last_served(), "MPI_BOTTOM");
    MPI_Comm_free(&comm);
    MPI_Type_free(&placed);
}

/* Makes calls with memory of changing kinds, drawn by each rank on its own. `wanted`: 1: hopbine is
 * to serve all of them, 0: none, -1: some. */
static void changing(int calls, int wanted) {
    MPI_Comm comm;
    unsigned all = 12345, mine = 777u + (unsigned)rank;
    int served = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < calls; ++i) {
        all = all * 1103515245u + 12345u;
        mine = mine * 1103515245u + 12345u;
        const int c = (int)(all >> 16) % COLLS, in_place = c != BCAST && (all >> 10) % 2;
        const int on_device =
            i / 100 % 2 ? 0 : (int)(mine >> 16) % 2; /* in every other hundred calls never */
        call(c, (all >> 12) % 2, in_place, (on_device ? device : host)[0],
             (on_device ? device : host)[1], comm);
        served += !!strcmp(last_served(), "mpi");
    }
    expect(wanted < 0 ? served > 0 && served < calls : served == wanted * calls, "served otherwise",
           "changing");
    MPI_Comm_free(&comm);
}

/* One rank has devices, and uses one for a while: all ranks are to count alike which calls the MPI
 * library serves because it has won, and which because of that memory. */
static void one_rank(int calls) {
    for (int i = 0; i < calls; ++i) {
        char **const memory = device[0] && i / 50 % 4 == 1 ? device : host;
        call(ALLREDUCE, 0, 0, memory[0], memory[1], MPI_COMM_WORLD);
    }
}

static int walks;
/* Replaces the C library's function, which hopbine calls to find libraries: counts the calls. */
int dl_iterate_phdr(int (*f)(struct dl_phdr_info *, size_t, void *), void *data) {
    static int (*next)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "dl_iterate_phdr");
    ++walks;
    return next(f, data);
}

static void host_calls(int calls) {
    for (int i = 0; i < calls; ++i) call(i % COLLS, 0, 0, host[0], host[1], MPI_COMM_WORLD);
}

static void repeated(void) {
    int (*prepare)(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
                   const int *, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request *);
    *(void **)&prepare = dlsym(RTLD_DEFAULT, "hopbine_alltoallv_init");
    int counts[64], places[64], class;
    for (int r = 0; r < p; ++r) counts[r] = 1, places[r] = r;
    MPI_Request request;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    char *const to = rank == 0 ? device[1] : host[1];
    MPI_Error_class(prepare(host[0], counts, places, MPI_INT, to, counts, places, MPI_INT,
                            MPI_COMM_WORLD, MPI_INFO_NULL, &request),
                    &class);
    expect(class == MPI_ERR_BUFFER, "no error", "hopbine_alltoallv_init");
#if MPI_VERSION >= 4
    int *const out = (int *)host[0], *const in = (int *)readable(to);
    for (int r = 0; r < p; ++r) out[r] = 10 * rank + r, in[r] = -1;
    MPI_Alltoallv_init(out, counts, places, MPI_INT, to, counts, places, MPI_INT, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    for (int r = 0; r < p; ++r) expect(in[r] == 10 * r + rank, "wrong", "MPI_Alltoallv_init");
#endif
}

int main(int argc, char **argv) {
    const char *mode = argv[1], *library = argv[2];
    const int wanted = argc > 3 ? atoi(argv[3]) : -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&last_served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    for (int i = 0; i < 2; ++i) host[i] = malloc(BYTES);
    make_forms();
    if (!strcmp(mode, "host") || !strcmp(mode, "late")) {
        host_calls(COLLS);
        const int so_far = walks;
        host_calls(1000);
        expect(walks == so_far, "calls look for libraries though nothing was loaded", "host");
    }
    if (strcmp(mode, "host") && (strcmp(mode, "one") || rank == 1)) load(library);
    if (!strcmp(mode, "one")) one_rank(2000);
    if (!strcmp(mode, "first")) first_calls(0);
    if (!strcmp(mode, "mixed")) first_calls(1);
    if (!strcmp(mode, "later")) later_calls(), absolute();
    if (!strcmp(mode, "late")) call(ALLREDUCE, 0, 0, device[0], device[1], MPI_COMM_WORLD);
    if (!strcmp(mode, "changing") || !strcmp(mode, "late")) changing(1000, wanted);
    if (!strcmp(mode, "repeated")) repeated();
    if (depth_) expect(depth_() == 0, "a context was left behind", mode);
    int sum[2], mine[2] = {passed, failed};
    MPI_Reduce(mine, sum, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", sum[0], sum[1]);
    MPI_Finalize();
    return 0;
}
