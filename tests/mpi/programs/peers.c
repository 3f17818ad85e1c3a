/* Messages that devices of a node copy from one another's memory.
 *
 *   peers counts BYTES        as many bytes are announced, and one less is not; then fewer ranks
 *                             with device memory, and more than the workspace holds
 *   peers late                device memory comes after some calls; prints the call that has peers
 *   peers outstanding N       N nonblocking calls at once, with blocking ones in between
 *   peers persistent N        N persistent calls, which ranks start in different orders
 *   (under hopbine run --gpu direct --gpu-peers BYTES)
 *
 * Prints a line for each kind of call, of all ranks together: the bytes that devices copied from
 * other processes' memory, and those of device memory that the MPI library sent. Then
 * "N passed, M failed". HOPBINE_TEST_DEVICE: a library of tests/device/fake. Linked with
 * aware_messages.c. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, ROOM = 40 << 20 };
static int rank, p, passed, failed;
static int (*choose)(const char *);
static long (*peer_bytes)(void), (*sent_bytes)(void);
static void *(*alloc)(size_t, int), *(*twin)(const void *);

/* Ends the process where a symbol is missing. */
static void *symbol(void *library, const char *name) {
    void *const out = dlsym(library, name);
    if (!out) fprintf(stderr, "%s is missing\n", name), MPI_Abort(MPI_COMM_WORLD, 2);
    return out;
}

static void check(int good, const char *what) {
    if (!good) fprintf(stderr, "rank %d: %s: wrong data\n", rank, what);
    *(good ? &passed : &failed) += 1;
}

static char value(int call, size_t i) { return (char)(i * 7 + i / 251 + (size_t)call * 13 + 1); }

static void fill(void *at, size_t n, int call) {
    char *const to = twin(at);
    for (size_t i = 0; i < n; ++i) to[i] = rank == call % p ? value(call, i) : -1;
}
static int is_full(const void *at, size_t n, int call) {
    const char *const found = twin(at);
    size_t i = 0;
    while (i < n && found[i] == value(call, i)) ++i;
    return i == n;
}

/* Bytes since the last time. */
static void print_bytes(const char *name) {
    static long before[2];
    const long now[2] = {peer_bytes(), sent_bytes()};
    long mine[2] = {now[0] - before[0], now[1] - before[1]}, all[2];
    MPI_Reduce(mine, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    memcpy(before, now, sizeof now);
    if (rank == 0) printf("%s: %ld %ld\n", name, all[0], all[1]);
}

/* A bcast of the root `call % p`, from and to memory of `at`. */
static void bcast(char *at, size_t n, int call, MPI_Comm comm, const char *name) {
    fill(at, n, call);
    MPI_Bcast(at, (int)n, MPI_BYTE, call % p, comm);
    check(is_full(at, n, call), name);
}

static void count(size_t least) {
    char *const there = alloc(ROOM, 0), *const here = malloc(ROOM);
    MPI_Comm other;
    bcast(there, 1, 0, MPI_COMM_WORLD, "first");
    print_bytes("first");
    bcast(there, least - 1, 1, MPI_COMM_WORLD, "below");
    print_bytes("below");
    bcast(there, least, 2, MPI_COMM_WORLD, "at");
    print_bytes("at");
    bcast(there, 3 * least + 1, 3, MPI_COMM_WORLD, "above");
    print_bytes("above");
    bcast(rank == 0 ? there : here, 3 * least, 0, MPI_COMM_WORLD, "to the host");
    print_bytes("to the host");
    bcast(rank == 0 ? here : there, 3 * least, 0, MPI_COMM_WORLD, "from the host");
    print_bytes("from the host");
    bcast(here, 3 * least, 1, MPI_COMM_WORLD, "host");
    print_bytes("host");
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    bcast(there, 3 * least, 1, other, "duplicate");
    MPI_Comm_free(&other);
    print_bytes("duplicate");
    if (p > 2) return; /* it takes time */
    bcast(there, ROOM, 0, MPI_COMM_WORLD, "too long");
    print_bytes("too long");
    bcast(there, 30 << 20, 0, MPI_COMM_WORLD, "long");
    print_bytes("long");
}

/* Ranks have device memory from call 3 on, rank 0 from call 6 on. */
static void come_late(void) {
    char *const there = alloc(1 << 16, 0), *const here = malloc(1 << 16);
    for (int call = 1; call <= 9; ++call) {
        const long before = peer_bytes();
        bcast(call >= (rank ? 3 : 6) ? there : here, 1 << 16, p, MPI_COMM_WORLD, "late");
        long mine = peer_bytes() - before, all;
        MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) printf("call %d: %ld\n", call, all);
    }
}

/* Sizes below and above the threshold, in memory that each rank draws: for the first one, by which
 * the ranks agree, the device's. */
static struct drawn {
    char *at;
    size_t n;
} drawn[MOST];
static void draw(int calls) {
    static unsigned seed;
    seed += (unsigned)rank;
    for (int k = 0; k < calls; ++k) {
        seed = seed * 1664525u + 1013904223u;
        drawn[k].n = (size_t)(k % 5 + 1) * (k % 3 ? 30 : 9000);
        if (!drawn[k].at)
            drawn[k].at = !k || (seed >> 16) % 4 ? alloc(drawn[k].n, 0) : malloc(drawn[k].n);
    }
}

/* Ranks start or wait in different orders. */
static int in_turn(int k, int turn, int calls) {
    return ((rank % 2 ? calls - 1 - k : k) + turn + rank * 3) % calls;
}

static void outstanding(int calls) {
    MPI_Request requests[MOST];
    bcast(drawn[0].at, drawn[0].n, 0, MPI_COMM_WORLD, "before");
    for (int turn = 0; turn < 6; ++turn) {
        for (int k = 0; k < calls; ++k) {
            fill(drawn[k].at, drawn[k].n, k);
            if (k % 7 == 6) { /* a blocking one between */
                MPI_Bcast(drawn[k].at, (int)drawn[k].n, MPI_BYTE, k % p, MPI_COMM_WORLD);
                requests[k] = MPI_REQUEST_NULL;
            } else
                MPI_Ibcast(drawn[k].at, (int)drawn[k].n, MPI_BYTE, k % p, MPI_COMM_WORLD,
                           &requests[k]);
        }
        for (int k = 0; k < calls; ++k)
            MPI_Wait(&requests[in_turn(k, turn, calls)], MPI_STATUS_IGNORE);
        for (int k = 0; k < calls; ++k) check(is_full(drawn[k].at, drawn[k].n, k), "outstanding");
    }
}

#ifndef WITHOUT_PERSISTENT
static void persistent(int calls) {
    MPI_Request requests[MOST];
    bcast(drawn[0].at, drawn[0].n, 0, MPI_COMM_WORLD, "before");
    for (int k = 0; k < calls; ++k)
        MPI_Bcast_init(drawn[k].at, (int)drawn[k].n, MPI_BYTE, k % p, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[k]);
    for (int turn = 0; turn < 6; ++turn) {
        for (int k = 0; k < calls; ++k) fill(drawn[k].at, drawn[k].n, k);
        for (int k = 0; k < calls; ++k) MPI_Start(&requests[in_turn(k, turn, calls)]);
        MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE);
        for (int k = 0; k < calls; ++k) check(is_full(drawn[k].at, drawn[k].n, k), "persistent");
    }
    for (int k = 0; k < calls; ++k) MPI_Request_free(&requests[k]);
}
#endif

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const char *const path = getenv("HOPBINE_TEST_DEVICE"), *const mode = argc > 1 ? argv[1] : "";
    void *const library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    const int n = argc > 2 ? atoi(argv[2]) : 0;
    if (!library) fprintf(stderr, "no device\n"), MPI_Abort(MPI_COMM_WORLD, 2);
    *(void **)&choose = symbol(RTLD_DEFAULT, "hopbine_select");
    *(void **)&sent_bytes = symbol(RTLD_DEFAULT, "aware_sent");
    *(void **)&alloc = symbol(library, "fake_alloc");
    *(void **)&twin = symbol(library, "fake_twin");
    *(void **)&peer_bytes = symbol(library, "fake_peer_bytes");
    choose("bcast=linear,reduce=mpi");
    draw(strcmp(mode, "outstanding") && strcmp(mode, "persistent") ? 0 : n);
    if (!strcmp(mode, "counts")) count((size_t)n);
    if (!strcmp(mode, "late")) come_late();
    if (!strcmp(mode, "outstanding")) outstanding(n);
#ifndef WITHOUT_PERSISTENT
    if (!strcmp(mode, "persistent")) persistent(n);
#endif
    print_bytes("all");
    int mine[2] = {passed, failed}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", all[0], all[1]);
    MPI_Finalize();
    return failed > 0;
}
