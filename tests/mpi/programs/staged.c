/* Calls on the memory of tests/device/fake under hopbine run --gpu staged, where the MPI library
 * takes no device memory: one that reached it would crash. Each call is made on host memory first,
 * then on memory that each rank draws, and every byte is compared.
 *
 *   staged FORMS BY    HOPBINE_TEST_DEVICE: the library to load
 *
 * FORMS: progress: in nonblocking and persistent forms too, where the MPI library's progress
 * resumes them; else only blocking ones. BY: mpi, hopbine or any: what serves calls of all
 * ranks.
 *
 * Prints "N passed, M failed" on rank 0. */
#define _GNU_SOURCE
#include <mpi.h>

#include "drawn_memory.h"

enum { BYTES = 1 << 16, LARGE = 5 << 20, IN_FLIGHT = 3 };
static int rank, p, passed, failed;
static int (*depth)(void);
static const char *(*served)(void);
static MPI_Comm ring, line, alone;
static MPI_Datatype gapped;
static int counts[64], places[64];

static void expect(int right, const char *what) {
    if (!right) fprintf(stderr, "rank %d: %s\n", rank, what);
    *(right ? &passed : &failed) += 1;
}

typedef void blocking(void *send, void *recv);
typedef void started(void *send, void *recv, MPI_Request *request);

static void allreduce(void *s, void *r) {
    MPI_Allreduce(s, r, 500, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void allreduce_alone(void *s, void *r) { MPI_Allreduce(s, r, 50, MPI_INT, MPI_SUM, alone); }
static void in_place(void *s, void *r) {
    (void)s;
    MPI_Allreduce(MPI_IN_PLACE, r, 9, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}
static void gaps(void *s, void *r) { MPI_Alltoall(s, 7, gapped, r, 14, MPI_INT, MPI_COMM_WORLD); }
static void nothing(void *s, void *r) {
    MPI_Allgather(s, 0, MPI_INT, r, 0, MPI_INT, MPI_COMM_WORLD);
}
static void uneven(void *s, void *r) {
    MPI_Alltoallv(s, counts, places, MPI_INT, r, counts, places, MPI_INT, MPI_COMM_WORLD);
}
static void to_root(void *s, void *r) {
    MPI_Gatherv(s, counts[p - 1], MPI_INT, r, counts, places, MPI_INT, p - 1, MPI_COMM_WORLD);
}
static void on_ring(void *s, void *r) { MPI_Neighbor_alltoall(s, 5, MPI_INT, r, 5, MPI_INT, ring); }
static void on_line(void *s, void *r) {
    MPI_Neighbor_allgather(s, 5, MPI_INT, r, 5, MPI_INT, line);
}

static void begin_allreduce(void *s, void *r, MPI_Request *q) {
    MPI_Iallreduce(s, r, 500, MPI_INT, MPI_SUM, MPI_COMM_WORLD, q);
}
static void begin_bcast(void *s, void *r, MPI_Request *q) {
    (void)s;
    MPI_Ibcast(r, 300, MPI_INT, p - 1, MPI_COMM_WORLD, q);
}
static void begin_uneven(void *s, void *r, MPI_Request *q) {
    MPI_Ialltoallv(s, counts, places, MPI_INT, r, counts, places, MPI_INT, MPI_COMM_WORLD, q);
}
static void begin_line(void *s, void *r, MPI_Request *q) {
    MPI_Ineighbor_alltoall(s, 5, MPI_INT, r, 5, MPI_INT, line, q);
}

static void fill(int *buffer, int salt) {
    for (int i = 0; i < BYTES / 4; ++i) buffer[i] = i % 251 + 1000 * rank + salt;
}

/* Every rank, and not only one, finds what a call has left behind. */
static void try_blocking(const char *name, blocking *call) {
    static int image[2][2][BYTES / 4]; /* made on host memory or not; buffers */
    for (int k = 0; k < 2; ++k)
        for (int b = 0; b < 2; ++b) fill(image[k][b], 7 * b);
    call(image[0][0], image[0][1]);
    char *const s = drawn_memory(0, (char *)image[1][0], BYTES), *const r = drawn_memory(
                                                                     1, (char *)image[1][1], BYTES);
    call(s, r);
    for (int b = 0; b < 2; ++b) take_back(b, (char *)image[1][b], BYTES);
    expect(!memcmp(image[0], image[1], sizeof image[0]), name);
}

/* Several calls under way at once; each has buffers of its own, in one allocation. */
static void try_started(const char *name, started *begin) {
    enum { EACH = BYTES / IN_FLIGHT / 64 * 64 };
    static int image[2][2][BYTES / 4];
    for (int k = 0; k < 2; ++k) {
        MPI_Request requests[IN_FLIGHT];
        for (int b = 0; b < 2; ++b) fill(image[k][b], 7 * b);
        char *s = (char *)image[k][0], *r = (char *)image[k][1];
        if (k) s = drawn_memory(0, s, BYTES), r = drawn_memory(1, r, BYTES);
        for (int i = 0; i < IN_FLIGHT; ++i) begin(s + i * EACH, r + i * EACH, &requests[i]);
        MPI_Waitall(IN_FLIGHT, requests, MPI_STATUSES_IGNORE);
        for (int b = 0; k && b < 2; ++b) take_back(b, (char *)image[k][b], BYTES);
    }
    expect(!memcmp(image[0], image[1], sizeof image[0]), name);
}

/* More than a chunk, on the device on all ranks. */
static void try_large(void) {
    void *(*alloc)(size_t, int);
    *(void **)&alloc = dlsym(RTLD_DEFAULT, "fake_alloc");
    int *const s = alloc(LARGE, 0), *const r = alloc(LARGE, 0), n = LARGE / 4;
    int *const in = readable_of(s), *const out = readable_of(r), before = device_copies();
    for (int i = 0; i < n; ++i) in[i] = i + rank, out[i] = -1;
    MPI_Allreduce(s, r, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += out[i] != p * i + p * (p - 1) / 2;
    expect(!wrong, "large allreduce");
    expect(device_copies() - before == 2 * LARGE / (512 << 10),
           "copies that are not one for each chunk");
}

#if MPI_VERSION >= 4
static void try_persistent(void) {
    static int image[2][2][BYTES / 4];
    char *memory[2] = {(char *)image[0][0], (char *)image[0][1]};
    for (int k = 0; k < 2; ++k) {
        MPI_Request requests[2];
        fill(image[k][0], 0), fill(image[k][1], 7);
        for (int b = 0; b < 2; ++b)
            memory[b] = k ? drawn_memory(b, (char *)image[k][b], BYTES) : (char *)image[k][b];
        MPI_Allreduce_init(memory[0], memory[1], 500, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                           MPI_INFO_NULL, &requests[0]);
        MPI_Alltoallv_init(memory[0] + 4096, counts, places, MPI_INT, memory[1] + 4096, counts,
                           places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
        for (int turn = 0; turn < 3; ++turn) {
            int *const in = k ? readable_of(memory[0]) : image[k][0];
            in[turn] = in[1024 + turn] = 5000 * turn + rank;
            MPI_Startall(2, requests);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
        for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
        for (int b = 0; k && b < 2; ++b) take_back(b, (char *)image[k][b], BYTES);
    }
    expect(!memcmp(image[0], image[1], sizeof image[0]), "persistent");
}
#endif

static void make_communicators(void) {
    const int periodic = 1, open = 0;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p, &periodic, 0, &ring);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p, &open, 0, &line);
    MPI_Comm_dup(MPI_COMM_SELF, &alone);
    MPI_Type_vector(2, 1, 3, MPI_INT, &gapped);
    MPI_Type_commit(&gapped);
    for (int r = 0; r < p; ++r) counts[r] = 1 + (r + rank) % 3, places[r] = 5 * (p - 1 - r);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    load_device(rank, BYTES);
    void *const library = dlopen(getenv("HOPBINE_TEST_DEVICE"), RTLD_NOW | RTLD_GLOBAL);
    *(void **)&depth = dlsym(library, "fake_depth");
    make_communicators();
    for (int turn = 0; turn < 20; ++turn) {
        try_blocking("allreduce", allreduce);
        if (strcmp(argv[2], "any"))
            expect(!strcmp(argv[2], "mpi") == !strcmp(served(), "mpi"), served());
        try_blocking("allreduce of one rank", allreduce_alone);
        try_blocking("allreduce in place", in_place);
        try_blocking("alltoall with gaps", gaps);
        try_blocking("allgather of nothing", nothing);
        try_blocking("alltoallv", uneven);
        try_blocking("gatherv", to_root);
        try_blocking("neighbor_alltoall on a ring", on_ring);
        try_blocking("neighbor_allgather on a line", on_line);
        if (strcmp(argv[1], "progress")) continue;
        try_started("iallreduce", begin_allreduce);
        try_started("ibcast", begin_bcast);
        try_started("ialltoallv", begin_uneven);
        try_started("ineighbor_alltoall on a line", begin_line);
#if MPI_VERSION >= 4
        try_persistent();
#endif
    }
    try_large();
    expect(depth() == 0, "a context was left behind");
    int sum[2], mine[2] = {passed, failed};
    MPI_Reduce(mine, sum, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", sum[0], sum[1]);
    MPI_Finalize();
    return failed > 0;
}
