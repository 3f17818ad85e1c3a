/* Calls whose scratch is too large to be kept between calls, and elements above 1 GiB.
 *
 *   large CASE...
 *
 * - Blocks of some hundred MiB: reduce_scatter_block, bcast, gather, allgather, alltoall (datatypes
 *   with gaps), allgatherv and scatter (plain ones).
 * - One element of slightly more than 1 GiB: element_bcast, element_gather, ...
 * - A block above 2 GiB by MPI_Allgatherv_c, where the library has it, on 2 ranks: large_block.
 *
 * Short calls follow each call. Prints "N passed, M failed" on rank 0. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MIB = 1 << 20, PIECE = 4 * MIB, VECTOR = 261 * MIB, BLOCK = 87 * MIB, GAP = 64 };

static int rank, p, passed, failed;
static const char *(*served)(void);

static void expect(int error, int right, const char *what) {
    const int ok = error == MPI_SUCCESS && right && (!served || strcmp(served(), "mpi"));
    if (!ok)
        fprintf(stderr, "rank %d: %s: error %d, %s, served by %s\n", rank, what, error,
                right ? "right" : "wrong", served ? served() : "mpi");
    *(ok ? &passed : &failed) += 1;
}

/* Word `at` of rank `from`'s data for rank `to`. */
static uint64_t value(int64_t at, int from, int to) {
    return ((uint64_t)at + 1) * 0x9E3779B97F4A7C15u ^ (uint64_t)(from * 101 + to * 37);
}

/* Fills n bytes that begin at byte `first` of the data. */
static void fill(unsigned char *data, int64_t n, int64_t first, int from, int to) {
    for (int64_t i = 0; i < n; i += 8) {
        const uint64_t word = value((first + i) / 8, from, to);
        memcpy(data + i, &word, 8);
    }
}

static int holds(const unsigned char *data, int64_t n, int64_t first, int from, int to) {
    for (int64_t i = 0; i < n; i += 8) {
        const uint64_t word = value((first + i) / 8, from, to);
        if (memcmp(data + i, &word, 8)) return 0;
    }
    return 1;
}

/* Elements of 1 MiB, each followed by a gap. */
static MPI_Datatype gaps;
enum { APART = MIB + GAP };

static unsigned char *elements(int n) { return calloc((size_t)n, APART); }

static void fill_elements(unsigned char *data, int n, int from, int to) {
    for (int i = 0; i < n; ++i) fill(data + (int64_t)i * APART, MIB, (int64_t)i * MIB, from, to);
}

static int hold_elements(const unsigned char *data, int n, int from, int to) {
    static const unsigned char none[GAP];
    for (int i = 0; i < n; ++i)
        if (!holds(data + (int64_t)i * APART, MIB, (int64_t)i * MIB, from, to) ||
            memcmp(data + (int64_t)i * APART + MIB, none, GAP))
            return 0;
    return 1;
}

static void short_calls(void) {
    int mine[64], all[64], right = 1;
    for (int r = 0; r < p; ++r) mine[r] = 100 * rank + r;
    int e = MPI_Alltoall(mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < p; ++r) right &= all[r] == 100 * r + rank;
    if (e == MPI_SUCCESS) e = MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < p; ++r) right &= all[r] == r;
    expect(e, right, "short calls after a long one");
}

static void reduce_scatter_block(void) {
    const int64_t n = VECTOR / (int)sizeof(int) / p;
    int *send = malloc((size_t)(n * p) * sizeof(int)), *recv = malloc((size_t)n * sizeof(int)),
        right = 1;
    for (int64_t i = 0; i < n * p; ++i) send[i] = (int)i + rank;
    const int e = MPI_Reduce_scatter_block(send, recv, (int)n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int64_t i = 0; i < n; ++i) right &= recv[i] == (int)(p * (n * rank + i)) + p * (p - 1) / 2;
    expect(e, right, "reduce_scatter_block");
    free(send);
    free(recv);
}

static void bcast(void) {
    const int n = VECTOR / MIB, root = p - 1;
    unsigned char *data = elements(n);
    if (rank == root) fill_elements(data, n, root, 0);
    const int e = MPI_Bcast(data, n, gaps, root, MPI_COMM_WORLD);
    expect(e, hold_elements(data, n, root, 0), "bcast of a type with gaps");
    free(data);
}

/* Gathers n elements of every rank, at one rank or at all. */
static void gathers(int to_all) {
    const int n = BLOCK / MIB, root = 1 % p;
    unsigned char *send = elements(n), *recv = elements(n * p);
    fill_elements(send, n, rank, 0);
    const int e = to_all ? MPI_Allgather(send, n, gaps, recv, n, gaps, MPI_COMM_WORLD)
                         : MPI_Gather(send, n, gaps, recv, n, gaps, root, MPI_COMM_WORLD);
    int right = 1;
    for (int r = 0; r < p && (to_all || rank == root); ++r)
        right &= hold_elements(recv + (int64_t)r * n * APART, n, r, 0);
    expect(e, right, to_all ? "allgather of a type with gaps" : "gather of a type with gaps");
    free(send);
    free(recv);
}

static void gather(void) { gathers(0); }
static void allgather(void) { gathers(1); }

static void allgatherv(void) {
    int counts[64], places[64], right = 1;
    for (int r = 0; r < p; ++r)
        counts[r] = BLOCK + 8 * r, places[r] = r ? places[r - 1] + counts[r - 1] + 5 : 0;
    unsigned char *send = malloc((size_t)counts[rank]),
                  *recv = malloc((size_t)places[p - 1] + (size_t)counts[p - 1]);
    fill(send, counts[rank], 0, rank, 0);
    const int e = MPI_Allgatherv(send, counts[rank], MPI_CHAR, recv, counts, places, MPI_CHAR,
                                 MPI_COMM_WORLD);
    for (int r = 0; r < p; ++r) right &= holds(recv + places[r], counts[r], 0, r, 0);
    expect(e, right, "allgatherv of chars");
    free(send);
    free(recv);
}

static void scatter(void) {
    const int n = 150 * MIB;
    unsigned char *send = rank == 0 ? malloc((size_t)n * (size_t)p) : NULL,
                  *recv = malloc((size_t)n);
    for (int r = 0; r < p && rank == 0; ++r) fill(send + (int64_t)r * n, n, 0, 0, r);
    const int e = MPI_Scatter(send, n, MPI_BYTE, recv, n, MPI_BYTE, 0, MPI_COMM_WORLD);
    expect(e, holds(recv, n, 0, 0, rank), "scatter of 150 MiB blocks");
    free(send);
    free(recv);
}

static void alltoall(void) {
    const int n = BLOCK / MIB;
    unsigned char *send = elements(n * p), *recv = elements(n * p);
    int right = 1;
    for (int r = 0; r < p; ++r) fill_elements(send + (int64_t)r * n * APART, n, rank, r);
    const int e = MPI_Alltoall(send, n, gaps, recv, n, gaps, MPI_COMM_WORLD);
    for (int r = 0; r < p; ++r) right &= hold_elements(recv + (int64_t)r * n * APART, n, r, rank);
    expect(e, right, "alltoall of a type with gaps");
    free(send);
    free(recv);
}

/* Maps `blocks` blocks of `pieces` pieces in little memory: all pieces of a block but the last
 * share the same pages. */
static unsigned char *folded(int blocks, int pieces) {
    const size_t length = (size_t)pieces * PIECE;
    const int file = memfd_create("large", 0);
    if (file < 0 || ftruncate(file, (off_t)blocks * 2 * PIECE)) MPI_Abort(MPI_COMM_WORLD, 2);
    unsigned char *data = mmap(NULL, (size_t)blocks * length, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int b = 0; b < blocks && data != MAP_FAILED; ++b)
        for (int i = 0; i < pieces; ++i)
            if (mmap(data + (size_t)b * length + (size_t)i * PIECE, PIECE, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED, file,
                     (off_t)(2 * b + (i == pieces - 1)) * PIECE) == MAP_FAILED)
                MPI_Abort(MPI_COMM_WORLD, 2);
    close(file);
    if (data == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 2);
    return data;
}

static void fill_folded(unsigned char *data, int block, int pieces, int from, int to) {
    unsigned char *begin = data + (size_t)block * (size_t)pieces * PIECE;
    fill(begin, PIECE, 0, from, to);
    fill(begin + (size_t)(pieces - 1) * PIECE, PIECE, PIECE, from, to);
}

static int hold_folded(const unsigned char *data, int block, int pieces, int from, int to) {
    const unsigned char *begin = data + (size_t)block * (size_t)pieces * PIECE;
    return holds(begin, PIECE, 0, from, to) &&
           holds(begin + (size_t)(pieces - 1) * PIECE, PIECE, PIECE, from, to);
}

/* One element of slightly more than 1 GiB: every case has one block of the rank's own and one for
 * each rank. */
enum { PIECES = 257, ELEMENT = PIECES * PIECE };
static MPI_Datatype element;
static unsigned char *one, *all;

static void make_element(void) {
    MPI_Datatype piece;
    MPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
    MPI_Type_contiguous(PIECES, piece, &element);
    MPI_Type_commit(&element);
    MPI_Type_free(&piece);
    one = folded(1, PIECES), all = folded(p, PIECES);
}

static void element_bcast(void) {
    make_element();
    if (rank == p - 1) fill_folded(one, 0, PIECES, rank, 1);
    const int e = MPI_Bcast(one, 1, element, p - 1, MPI_COMM_WORLD);
    expect(e, hold_folded(one, 0, PIECES, p - 1, 1), "bcast of an element above 1 GiB");
}

static void element_gather(void) {
    int right = 1;
    make_element();
    fill_folded(one, 0, PIECES, rank, 2);
    const int e = MPI_Gather(one, 1, element, all, 1, element, p - 1, MPI_COMM_WORLD);
    for (int r = 0; r < p && rank == p - 1; ++r) right &= hold_folded(all, r, PIECES, r, 2);
    expect(e, right, "gather of an element above 1 GiB");
}

static void element_scatter(void) {
    make_element();
    for (int r = 0; r < p; ++r) fill_folded(all, r, PIECES, rank, r);
    const int e = MPI_Scatter(all, 1, element, one, 1, element, p - 1, MPI_COMM_WORLD);
    expect(e, hold_folded(one, 0, PIECES, p - 1, rank), "scatter of an element above 1 GiB");
}

/* Sends as bytes: scratch for both buffers would take half as much memory again. */
static void element_allgather(void) {
    int right = 1;
    make_element();
    fill_folded(one, 0, PIECES, rank, 3);
    const int e = MPI_Allgather(one, ELEMENT, MPI_BYTE, all, 1, element, MPI_COMM_WORLD);
    for (int r = 0; r < p; ++r) right &= hold_folded(all, r, PIECES, r, 3);
    expect(e, right, "allgather of an element above 1 GiB");
}

static void element_alltoall(void) {
    int right = 1;
    make_element();
    unsigned char *from = folded(p, PIECES);
    for (int r = 0; r < p; ++r) fill_folded(from, r, PIECES, rank, r);
    const int e = MPI_Alltoall(from, 1, element, all, ELEMENT, MPI_BYTE, MPI_COMM_WORLD);
    for (int r = 0; r < p; ++r) right &= hold_folded(all, r, PIECES, r, rank);
    expect(e, right, "alltoall of an element above 1 GiB");
}

static void large_block(void) {
#if MPI_VERSION >= 4
    const int pieces = 513;
    unsigned char *send = folded(1, pieces), *recv = folded(2, pieces);
    MPI_Count counts[64];
    MPI_Aint places[64];
    int right;
    for (int r = 0; r < p; ++r)
        counts[r] = r ? PIECE : (MPI_Count)pieces * PIECE,
        places[r] = r ? (MPI_Aint)(pieces + r - 1) * PIECE : 0;
    fill_folded(send, 0, pieces, rank, 5);
    const int e = MPI_Allgatherv_c(send, counts[rank], MPI_CHAR, recv, counts, places, MPI_CHAR,
                                   MPI_COMM_WORLD);
    right = hold_folded(recv, 0, pieces, 0, 5) &&
            (p == 1 || holds(recv + (size_t)pieces * PIECE, PIECE, 0, 1, 5));
    expect(e, right, "allgatherv of a block above 2 GiB");
#else
    if (rank == 0) printf("there is no MPI_Allgatherv_c\n");
#endif
}

#define CASE(name) {#name, name}
static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {CASE(reduce_scatter_block),
             CASE(bcast),
             CASE(gather),
             CASE(allgather),
             CASE(allgatherv),
             CASE(scatter),
             CASE(alltoall),
             CASE(element_bcast),
             CASE(element_gather),
             CASE(element_scatter),
             CASE(element_allgather),
             CASE(element_alltoall),
             CASE(large_block)};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    MPI_Datatype bare;
    MPI_Type_contiguous(MIB, MPI_BYTE, &bare);
    MPI_Type_create_resized(bare, 0, APART, &gaps);
    MPI_Type_commit(&gaps);
    MPI_Type_free(&bare);
    for (int i = 1; i < argc; ++i)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
            if (!strcmp(argv[i], cases[k].name)) cases[k].run(), short_calls();
    PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", passed, failed);
    MPI_Finalize();
    return failed > 0;
}
