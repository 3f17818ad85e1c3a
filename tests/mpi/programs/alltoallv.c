/* MPI_Alltoallv with counts that differ from rank to rank and from call to call.
 *
 *   alltoallv sizes ALGORITHM...   calls of all sizes in random order, back to back;
 *                                  ALGORITHM "auto": hopbine's own choice
 *   alltoallv again ALGORITHM...   counts are those of the call before, on all ranks or all but one
 *   alltoallv settles              small calls, then large, then small: the algorithm follows,
 *                                  by the rules of the run
 *   alltoallv mismatch ALGORITHM   one rank expects less than it is sent, one more
 *   alltoallv bare ALGORITHM...    elements without bytes
 *   alltoallv negative             a negative count
 *   alltoallv skew ALGORITHM       one long block, all others short; three times
 *
 * Prints "N passed, M failed" on rank 0. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"

static int rank, p, passed, failed;
static int (*choose)(const char *);
static const char *(*served)(void);
static char by[100]; /* what served the last call */

static void expect(int right, const char *what) {
    if (!right) fprintf(stderr, "rank %d: %s\n", rank, what);
    *(right ? &passed : &failed) += 1;
}

static unsigned mix(unsigned a, unsigned b, unsigned c) {
    unsigned x = a * 2654435761u ^ b * 40503u ^ c * 2246822519u;
    x = (x ^ x >> 15) * 2246822519u;
    return x ^ x >> 13;
}

/* Bytes from one rank to another in call c: 0 for a quarter of the pairs, else up to `most`. */
static int drawn(int from, int to, int c, int most) {
    unsigned x = mix((unsigned)from, (unsigned)to, (unsigned)c);
    return x % 4 ? (int)(x / 4 % (unsigned)(most + 1)) : 0;
}

/* Four calls in a row have the same sizes, except those of one rank in the fourth. */
static int recurring(int from, int to, int c, int most) {
    return drawn(from, to, c / 4 + (c % 4 == 3 && from == c / 4 % p ? 1000 : 0), most);
}

static int skewed(int from, int to, int c, int most) {
    return from == 0 && to == p - 1 ? most : 10 + (from * 7 + to + c) % 50;
}

/* Calls the plain function; in every third call that with MPI_Count, where the library has it. */
static int exchange(int c, const void *send, const int *n, const int *from, void *recv,
                    const int *m, const int *to, MPI_Comm comm) {
#if MPI_VERSION >= 4
    if (c % 3 == 0) {
        MPI_Count *counts = malloc(2 * (size_t)p * sizeof *counts);
        MPI_Aint *places = malloc(2 * (size_t)p * sizeof *places);
        for (int r = 0; r < p; ++r)
            counts[r] = n[r], counts[p + r] = m[r], places[r] = from[r], places[p + r] = to[r];
        int e = MPI_Alltoallv_c(send, counts, places, MPI_BYTE, recv, counts + p, places + p,
                                MPI_BYTE, comm);
        free(counts), free(places);
        return e;
    }
#endif
    (void)c;
    return MPI_Alltoallv(send, n, from, MPI_BYTE, recv, m, to, MPI_BYTE, comm);
}

/* Makes one call. Returns 1 when this rank's result is correct. `off` is added to the count that
 * this rank expects from rank 0. */
static int call(MPI_Comm comm, int (*length)(int, int, int, int), int c, int most, int off,
                int *error) {
    int *n = calloc(4 * (size_t)p, sizeof *n), *from = n + p, *m = n + 2 * p, *to = n + 3 * p,
        out = 0, in = 0, right = 1;
    for (int r = 0; r < p; ++r) {
        n[r] = length(rank, r, c, most);
        m[r] = length(r, rank, c, most) + (r == 0 ? off : 0);
        from[r] = out, out += n[r];
        to[p - 1 - r] = 0;
    }
    for (int r = p - 1; r >= 0; --r) to[r] = in, in += m[r]; /* the last rank's block lies first */
    unsigned char *send = malloc((size_t)out + 1), *recv = malloc((size_t)in + 1);
    for (int r = 0; r < p; ++r)
        for (int k = 0; k < n[r]; ++k)
            send[from[r] + k] =
                (unsigned char)mix((unsigned)(rank * p + r), (unsigned)k, (unsigned)c);
    memset(recv, 0, (size_t)in + 1);
    recv[in] = 77;
    int e = exchange(c, send, n, from, recv, m, to, comm);
    if (error) *error = e;
    snprintf(by, sizeof by, "%s", served());
    for (int r = off ? 1 : 0; r < p; ++r)
        for (int k = 0; k < m[r]; ++k)
            right &= recv[to[r] + k] ==
                     (unsigned char)mix((unsigned)(r * p + rank), (unsigned)k, (unsigned)c);
    right &= recv[in] == 77;
    free(n), free(send), free(recv);
    return right;
}

/* Whether the same algorithm served on all ranks. */
static int together(void) {
    char first[sizeof by];
    memcpy(first, by, sizeof first);
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    return !strcmp(by, first);
}

static void take(const char *algorithm) {
    char spec[200];
    snprintf(spec, sizeof spec, "alltoallv=%s", algorithm);
    if (choose(strcmp(algorithm, "auto") ? spec : NULL)) MPI_Abort(MPI_COMM_WORLD, 2);
}

static void sizes(int n, char **algorithms) {
    for (int c = 0; c < 120; ++c) {
        const int most[] = {0, 1, 16, 300, 5000, 40000};
        take(algorithms[mix(1, (unsigned)c, 2) % (unsigned)n]);
        expect(call(MPI_COMM_WORLD, drawn, c, most[mix(3, (unsigned)c, 4) % 6], 0, NULL),
               "a wrong answer");
    }
    expect(together(), "ranks do not agree on what serves");
}

static void again(int n, char **algorithms) {
    for (int c = 0; c < 160; ++c) {
        const int most[] = {1, 16, 300, 5000};
        take(algorithms[mix(1, (unsigned)c / 16, 2) % (unsigned)n]);
        expect(call(MPI_COMM_WORLD, recurring, c, most[c / 4 % 4], 0, NULL), "a wrong answer");
    }
}

static void settles(void) {
    const int most[] = {20, 50000, 20, 50000};
    const char *small = "parlogna:r=3", *large = "linear";
    for (int phase = 0; phase < 4; ++phase)
        for (int c = 0; c < 40; ++c) {
            expect(call(MPI_COMM_WORLD, drawn, phase * 40 + c, most[phase], 0, NULL),
                   "a wrong answer");
            expect(together(), "ranks do not agree on what serves");
            if (c == 39) expect(!strcmp(by, phase % 2 ? large : small), by);
        }
}

static void mismatch(const char *algorithm) {
    MPI_Comm comm;
    int e, class;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD,
                            MPI_ERRORS_RETURN); /* MPICH raises errors of MPI_Wait here */
    take(algorithm);
    for (int c = 0; c < 6; ++c) {
        const int off = c % 2 == 0 ? 0 : rank == p - 1 ? -3 : rank == p / 2 ? 5 : 0;
        expect(call(comm, skewed, c, 2000, off, &e), "another block is wrong");
        MPI_Error_class(e, &class);
        expect(off ? class == MPI_ERR_TRUNCATE : class == MPI_SUCCESS,
               off ? "counts that differ are an error" : "counts that agree are none");
    }
    MPI_Comm_free(&comm);
}

/* Rank r sends d elements to rank r + d, which expects as many. */
static void bare(int n, char **algorithms) {
    MPI_Comm comm;
    MPI_Datatype nothing;
    int counts[64], from_here[64], places[64] = {0};
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    for (int r = 0; r < p; ++r) {
        counts[r] = (r - rank + p) % p;
        from_here[r] = (rank - r + p) % p;
    }
    for (int c = 0; c < 2 * n; ++c) {
        take(algorithms[c / 2]);
        expect(MPI_Alltoallv(counts, counts, places, nothing, from_here, from_here, places, nothing,
                             comm) == MPI_SUCCESS,
               algorithms[c / 2]);
    }
    MPI_Type_free(&nothing);
    MPI_Comm_free(&comm);
}

static void negative(void) {
    MPI_Comm comm;
    int counts[64] = {0}, places[64] = {0}, class = MPI_SUCCESS;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    counts[p - 1] = -1;
    MPI_Error_class(
        MPI_Alltoallv(counts, counts, places, MPI_INT, places, counts, places, MPI_INT, comm),
        &class);
    expect(class == MPI_ERR_COUNT || class == MPI_ERR_ARG, "a negative count is MPI's error");
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    if (argc < 2 || !choose || !served) MPI_Abort(MPI_COMM_WORLD, 2);
    if (!strcmp(argv[1], "sizes"))
        sizes(argc - 2, argv + 2);
    else if (!strcmp(argv[1], "again"))
        again(argc - 2, argv + 2);
    else if (!strcmp(argv[1], "settles"))
        settles();
    else if (!strcmp(argv[1], "mismatch"))
        mismatch(argv[2]);
    else if (!strcmp(argv[1], "bare"))
        bare(argc - 2, argv + 2);
    else if (!strcmp(argv[1], "negative"))
        negative();
    else
        for (int c = 0; c < 3; ++c)
            take(argv[2]),
                expect(call(MPI_COMM_WORLD, skewed, 0, 1 << 20, 0, NULL), "a wrong answer");
    int all = 0;
    MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", passed, all);
    MPI_Finalize();
    return all > 0;
}
