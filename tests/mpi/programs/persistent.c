/* Persistent alltoallv's: prepared once, started again and again.
 *
 *   persistent ALGORITHM...     by hopbine_alltoallv_init; "auto": hopbine's own choice
 *   persistent init ALGORITHM   by MPI_Alltoallv_init, where the library has it
 *   persistent plain ALGORITHM...   as the first, never several at the same time: MPICH 4.0 cannot
 *                                   start them in any order
 *   persistent mismatch         counts that disagree
 *
 * Prints "N passed, M failed" on rank 0. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <hopbine/hopbine_mpi.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hopbine_select(const char *algorithms);

static int rank, p, passed, failed;

static void expect(int right, const char *what) {
    if (!right) fprintf(stderr, "rank %d: %s\n", rank, what);
    *(right ? &passed : &failed) += 1;
}

typedef int (*prepare)(const void *, const int[], const int[], MPI_Datatype, void *, const int[],
                       const int[], MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request *);

/* An exchange of ints; `gaps`: every second int of the buffers. */
struct trade {
    int *numbers, *send, *recv, seed, in_place, gaps;
    MPI_Datatype type;
    MPI_Request request;
};

/* Number of ints from one rank to another; some send none. In place both directions have the same
 * number. */
static int many(const struct trade *t, int from, int to) {
    if (t->in_place && from > to) return many(t, to, from);
    return (from * 5 + to * 3 + t->seed) % 4 ? (from * 7 + to * 11 + t->seed) % 40 : 0;
}
static int value(int from, int to, int k, int round) {
    return ((from * 64 + to) * 64 + k) * 16 + round;
}

static void open(struct trade *t, prepare how, int seed, int in_place, int gaps) {
    memset(t, 0, sizeof *t);
    t->seed = seed, t->in_place = in_place, t->gaps = gaps;
    t->numbers = malloc(sizeof(int) * 4 * (size_t)p);
    int *n = t->numbers, *from = n + p, *m = n + 2 * p, *to = n + 3 * p;
    for (int r = 0; r < p; ++r) {
        n[r] = many(t, rank, r), m[r] = many(t, r, rank);
        from[r] = 45 * r, to[r] = 45 * (p - 1 - r);
    }
    t->send = malloc(sizeof(int) * 90 * (size_t)p), t->recv = malloc(sizeof(int) * 90 * (size_t)p);
    if (gaps) {
        MPI_Type_create_resized(MPI_INT, 0, 8, &t->type);
        MPI_Type_commit(&t->type);
    } else
        t->type = MPI_INT;
    const int e = in_place ? how(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, t->recv, m, to,
                                 t->type, MPI_COMM_WORLD, MPI_INFO_NULL, &t->request)
                           : how(t->send, n, from, t->type, t->recv, m, to, t->type, MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &t->request);
    expect(e == MPI_SUCCESS, "an exchange is prepared");
    memset(n, 99, sizeof(int) * 2 * (size_t)p); /* these have been copied */
}

static void fill(struct trade *t, int round) {
    const int width = t->gaps ? 2 : 1;
    for (int i = 0; i < 90 * p; ++i) t->send[i] = t->recv[i] = -1;
    for (int r = 0; r < p; ++r)
        for (int k = 0; k < many(t, rank, r); ++k)
            (t->in_place ? t->recv + 45 * (p - 1 - r) * width
                         : t->send + 45 * r * width)[k * width] = value(rank, r, k, round);
}

static int right(const struct trade *t, int round) {
    const int width = t->gaps ? 2 : 1;
    for (int r = 0; r < p; ++r)
        for (int k = 0; k < 45 * width; ++k) {
            const int got = t->recv[45 * (p - 1 - r) * width + k];
            if (got != (k % width == 0 && k / width < many(t, r, rank)
                            ? value(r, rank, k / width, round)
                            : -1))
                return 0;
        }
    return 1;
}

static void close(struct trade *t) {
    expect(MPI_Request_free(&t->request) == MPI_SUCCESS && t->request == MPI_REQUEST_NULL,
           "a request is freed");
    if (t->gaps) MPI_Type_free(&t->type);
    free(t->numbers), free(t->send), free(t->recv);
}

static void alone(struct trade *t) {
    MPI_Status status;
    int flag = 0;
    for (int round = 0; round < 3; ++round) {
        fill(t, round);
        expect(MPI_Start(&t->request) == MPI_SUCCESS, "an exchange starts");
        flag = 0;
        if (round == 1)
            while (!flag) MPI_Test(&t->request, &flag, &status);
        else
            MPI_Wait(&t->request, &status);
        expect(right(t, round), "a wrong answer");
        MPI_Wait(&t->request, &status); /* inactive: completes at once */
        MPI_Request_get_status(t->request, &flag, &status);
        expect(flag, "what is not started is over");
    }
}

/* Starts several requests with a message of the program's own. The orders of starts and waits
 * differ from rank to rank. */
static void together(struct trade *t, int n) {
    MPI_Request all[8];
    MPI_Status statuses[8];
    int token = -1, seen[8] = {0}, index, done = 0, some, indices[8], flag = 0;
    for (int way = 0; way < 5; ++way) {
        for (int i = 0; i < n; ++i) fill(&t[i], way + 3), seen[i] = 0;
        for (int i = 0; i < n; ++i) all[i] = t[rank % 2 ? n - 1 - i : i].request;
        MPI_Irecv(&token, 1, MPI_INT, (rank + p - 1) % p, way, MPI_COMM_WORLD, &all[n]);
        if (rank % 2)
            MPI_Startall(n, all);
        else
            for (int i = 0; i < n; ++i) MPI_Start(&all[i]);
        MPI_Send(&rank, 1, MPI_INT, (rank + 1) % p, way, MPI_COMM_WORLD);
        if (way == 0)
            MPI_Waitall(n + 1, all, statuses);
        else if (way == 1)
            for (flag = 0; !flag;) MPI_Testall(n + 1, all, &flag, statuses);
        else if (way == 2)
            for (done = 0; done <= n; ++done)
                MPI_Waitany(n + 1, all, &index, statuses), ++seen[index];
        else if (way == 3)
            for (done = 0; done <= n; done += some)
                MPI_Waitsome(n + 1, all, &some, indices, statuses);
        else
            for (int i = n; i >= 0; --i) MPI_Wait(&all[i], statuses);
        for (int i = 0; way == 2 && i <= n; ++i) expect(seen[i] == 1, "each is over once");
        if (way == 2)
            MPI_Waitany(n + 1, all, &index, statuses),
                expect(index == MPI_UNDEFINED, "none is left");
        expect(token == (rank + p - 1) % p, "the program's own message");
        for (int i = 0; i < n; ++i) expect(right(&t[i], way + 3), "a wrong answer of several");
    }
}

static void run(prepare how, const char *algorithm, int several) {
    struct trade t[4];
    char spec[200];
    snprintf(spec, sizeof spec, "alltoallv=%s", algorithm);
    if (hopbine_select(strcmp(algorithm, "auto") ? spec : NULL)) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 0; i < 4; ++i) {
        open(&t[i], how, i, i % 2, i / 2);
        alone(&t[i]);
    }
    if (several) together(t, 4);
    for (int i = 0; i < 4; ++i) close(&t[i]);
}

static void mismatch(void) {
    MPI_Comm comm;
    MPI_Request request;
    int *zeros = calloc(2 * (size_t)p, sizeof(int)), *ones = calloc((size_t)p, sizeof(int)),
        data[128], class;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (hopbine_select("alltoallv=parlogna:r=2")) MPI_Abort(MPI_COMM_WORLD, 2);
    if (rank == 0) ones[p - 1] = 1; /* the last rank expects no data from rank 0 */
    MPI_Error_class(hopbine_alltoallv_init(data, ones, zeros, MPI_INT, data + 64, zeros, zeros,
                                           MPI_INT, comm, MPI_INFO_NULL, &request),
                    &class);
    expect(class == MPI_ERR_TRUNCATE, "counts that disagree are an error on all ranks");
    MPI_Comm_free(&comm);
    free(zeros), free(ones);
}

int main(int argc, char **argv) {
    int all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (argc > 1 && !strcmp(argv[1], "mismatch"))
        mismatch();
    else if (argc > 2 && !strcmp(argv[1], "init")) {
        prepare standard; /* not all libraries that have it declare it */
        *(void **)&standard = dlsym(RTLD_DEFAULT, "MPI_Alltoallv_init");
        run(standard, argv[2], 1);
    } else {
        const int plain = argc > 1 && !strcmp(argv[1], "plain");
        for (int i = 1 + plain; i < argc; ++i) run(hopbine_alltoallv_init, argv[i], !plain);
    }
    MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", passed, all);
    MPI_Finalize();
    return all > 0;
}
