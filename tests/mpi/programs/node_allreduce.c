/* Allreduces that the devices of a node make by one kernel each (under hopbine run --gpu direct
 * --gpu-peers 1), with a fake device (tests/device/fake) and messages as aware_messages.c takes
 * them.
 *
 *   node_allreduce TURNS [busy | OF_NODE]    HOPBINE_TEST_DEVICE: the library to load
 *
 * busy: now and then a kernel of the program's own keeps the device while a rank makes a call.
 * OF_NODE: so many consecutive ranks share a node. They make calls among themselves in between, and
 * all make some on a duplicate of MPI_COMM_WORLD that is freed then.
 * Each rank draws where its buffers are. All types and operations, sizes up to several pieces, all
 * alignments, in place or not; every byte is compared with the same call on host memory of which
 * the MPI library makes the sum. A rank is late now and then, with a message under way that the
 * awaited one needs. Prints the kernels begun on rank 0, and "N passed, M failed". */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

#include "drawn_memory.h"

enum { MOST = 12 << 20, LONG = 1 << 20 };
static int rank, p, passed, failed;
static MPI_Comm comm = MPI_COMM_WORLD; /* of the calls */
static int (*choose)(const char *);
static void (*keep_busy)(unsigned);
static int is_busy;

static const struct {
    MPI_Datatype type;
    int width;
} types[] = {{MPI_INT8_T, 1},   {MPI_UINT16_T, 2}, {MPI_INT32_T, 4},
             {MPI_UINT64_T, 8}, {MPI_FLOAT, 4},    {MPI_DOUBLE, 8}};
enum { TYPES = sizeof types / sizeof *types };
static const MPI_Op ops[] = {MPI_SUM, MPI_MIN, MPI_MAX, MPI_BXOR};

static void fill(char *buffer, int type, int n, unsigned salt) {
    for (int i = 0; i < n; ++i) {
        const unsigned v = (unsigned)i * 7 + (unsigned)rank * 3 + salt;
        switch (type) {
        case 0: ((signed char *)buffer)[i] = (signed char)(v % 13); break;
        case 1: ((unsigned short *)buffer)[i] = (unsigned short)(v % 1000); break;
        case 2: ((int *)buffer)[i] = (int)v; break;
        case 3: ((unsigned long *)buffer)[i] = v; break;
        case 4: ((float *)buffer)[i] = (float)(v % 1000); break; /* sums are exact */
        default: ((double *)buffer)[i] = v;
        }
    }
}

static void *keep(void *unused) {
    keep_busy(50000);
    return unused;
}

static void try_call(unsigned turn) {
    static char in[MOST], want[MOST], out[MOST];
    unsigned all = turn * 2654435761u;
    const int type = (int)(turn % TYPES), is_float = type > 3,
              op = (int)(all >> 8) % (is_float ? 3 : 4), width = types[type].width,
              in_place = (int)(all >> 12) % 2;
    const int n = turn % 16 == 0  ? MOST / 8 - 7
                  : turn % 5 == 0 ? LONG + (int)turn
                                  : (int)(all >> 16) % (turn % 6 == 1 ? 9 : 3000);
    const size_t bytes = (size_t)n * (size_t)width;
    fill(in, type, n, turn);
    memset(out, 0x5a, bytes);
    choose("allreduce=mpi");
    MPI_Allreduce(in, want, n, types[type].type, ops[op], comm);
    choose("allreduce=recursive_doubling");
    char *const s = drawn_memory(0, in_place ? out : in, bytes), *const r = drawn_memory(
                                                                     1, in_place ? in : out, bytes);
    pthread_t own;
    const int busy = is_busy && (turn + (unsigned)rank) % 4 == 1;
    if (busy) pthread_create(&own, NULL, keep, NULL);
    if ((turn + (unsigned)rank) % 7 == 0) usleep(30000);
    MPI_Allreduce(in_place ? MPI_IN_PLACE : s, r, n, types[type].type, ops[op], comm);
    if (busy) pthread_join(own, NULL);
    take_back(1, in_place ? in : out, bytes);
    const int right = !memcmp(in_place ? in : out, want, bytes);
    if (!right)
        fprintf(stderr, "rank %d: turn %u: %d elements of type %d, operation %d\n", rank, turn, n,
                type, op);
    *(right ? &passed : &failed) += 1;
}

/* Calls on other communicators of the ranks: `of_node`, and one that lives for a few calls. */
static void try_others(unsigned turn, MPI_Comm of_node) {
    comm = of_node;
    try_call(turn + 1);
    if (turn % 8 == 3) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (unsigned i = 0; i < 3; ++i) try_call(turn + i);
        MPI_Comm_free(&comm);
    }
    comm = MPI_COMM_WORLD;
}

/* Rank 0 comes late to the call, for it waits for a long message that rank 1, which is in the call,
 * has begun to send. */
static void try_awaited_message(void) {
    static char data[4 << 20];
    int one = 1, sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 1) MPI_Isend(data, sizeof data, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &request);
    if (rank == 0) MPI_Recv(data, sizeof data, MPI_BYTE, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    *(sum == p ? &passed : &failed) += 1;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    load_device(rank, MOST);
    const int of_node = argc > 2 ? atoi(argv[2]) : 0;
    is_busy = argc > 2 && !of_node;
    MPI_Comm node = MPI_COMM_NULL;
    if (of_node) MPI_Comm_split(MPI_COMM_WORLD, rank / of_node, rank, &node);
    *(void **)&keep_busy = dlsym(dlopen(getenv("HOPBINE_TEST_DEVICE"), RTLD_NOW), "fake_keep_busy");
    choose("allreduce=recursive_doubling");
    for (int i = 0; i < 3; ++i) /* the ranks agree in the calls with GPU memory */
        MPI_Allreduce(MPI_IN_PLACE, drawn_from[0][DEVICE], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (unsigned turn = 0; turn < (unsigned)atoi(argv[1]); ++turn) {
        try_call(turn);
        if (of_node && turn % 2) try_others(turn, node);
    }
    try_awaited_message();
    int sum[2], mine[2] = {passed, failed};
    choose("allreduce=mpi");
    MPI_Reduce(mine, sum, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("kernels: %d\n%d passed, %d failed\n", node_kernels(), sum[0], sum[1]);
    if (of_node) MPI_Comm_free(&node);
    MPI_Finalize();
    return failed > 0;
}
