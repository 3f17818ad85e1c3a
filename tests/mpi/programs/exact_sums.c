/* Sums numbers of a file by every collective that reduces, and writes the bits of all results.
 *
 *   exact_sums TYPE N NUMBERS RESULTS [ALGORITHMS...]
 *
 * TYPE is a type of MPI: float, double, complex, longdouble, longcomplex or quad (Fortran's
 * REAL*16). NUMBERS has N of rank 0, then N of rank 1, and so on; N is a multiple of the number of
 * ranks. Each rank writes RESULTS.RANK: a line for each call, with its name and the bits of its
 * result. With ALGORITHMS every call is made once for each, as hopbine_select() takes them. With
 * HOPBINE_TEST_DEVICE the buffers of the calls are in memory that each rank draws. */
#define _GNU_SOURCE
#include <mpi.h>

#include "drawn_memory.h"

extern int hopbine_select(const char *) __attribute__((weak)); /* under hopbine run */

static int rank, ranks, n;
static size_t size; /* of an element */
static MPI_Datatype type;
static char *given, *result;
static FILE *out;
static int *counts; /* of a reduce_scatter: uneven, some none */

static void *memory(size_t bytes) {
    void *made = calloc(bytes + 1, 1);
    if (!made) MPI_Abort(MPI_COMM_WORLD, 1);
    return made;
}

static void write_result(const char *name, int elements) {
    take_back(1, result, (size_t)n * size);
    fprintf(out, "%s ", name);
    for (size_t i = 0; i < (size_t)elements * size; ++i)
        fprintf(out, "%02x", (unsigned char)result[i]);
    fprintf(out, "\n");
}

static char *from(void) { return drawn_memory(0, given, (size_t)n * size); }
static char *fresh(void) {
    memset(result, 0x55, (size_t)n * size);
    return drawn_memory(1, result, (size_t)n * size);
}
static char *in_place(void) {
    memcpy(result, given, (size_t)n * size);
    return drawn_memory(1, result, (size_t)n * size);
}
static int at(int root) { return rank == root ? n : 0; }

static void blocking(void) {
    const int root = ranks - 1;
    MPI_Allreduce(from(), fresh(), n, type, MPI_SUM, MPI_COMM_WORLD);
    write_result("allreduce", n);
    MPI_Allreduce(MPI_IN_PLACE, in_place(), n, type, MPI_SUM, MPI_COMM_WORLD);
    write_result("allreduce", n);
    MPI_Reduce(from(), fresh(), n, type, MPI_SUM, root, MPI_COMM_WORLD);
    write_result("reduce", at(root));
    MPI_Reduce(rank ? from() : MPI_IN_PLACE, in_place(), n, type, MPI_SUM, 0, MPI_COMM_WORLD);
    write_result("reduce", at(0));
    MPI_Reduce_scatter_block(from(), fresh(), n / ranks, type, MPI_SUM, MPI_COMM_WORLD);
    write_result("reduce_scatter_block", n / ranks);
    MPI_Reduce_scatter(from(), fresh(), counts, type, MPI_SUM, MPI_COMM_WORLD);
    write_result("reduce_scatter", counts[rank]);
    MPI_Reduce_scatter(MPI_IN_PLACE, in_place(), counts, type, MPI_SUM, MPI_COMM_WORLD);
    write_result("reduce_scatter", counts[rank]);
    MPI_Scan(from(), fresh(), n, type, MPI_SUM, MPI_COMM_WORLD);
    write_result("scan", n);
    MPI_Exscan(MPI_IN_PLACE, in_place(), n, type, MPI_SUM, MPI_COMM_WORLD);
    write_result("exscan", rank ? n : 0);
}

static void finish(const char *name, MPI_Request *request, int elements) {
    MPI_Wait(request, MPI_STATUS_IGNORE);
    write_result(name, elements);
}

static void nonblocking(void) {
    MPI_Request request;
    MPI_Iallreduce(from(), fresh(), n, type, MPI_SUM, MPI_COMM_WORLD, &request);
    finish("allreduce", &request, n);
    MPI_Ireduce(from(), fresh(), n, type, MPI_SUM, 0, MPI_COMM_WORLD, &request);
    finish("reduce", &request, at(0));
    MPI_Ireduce_scatter_block(from(), fresh(), n / ranks, type, MPI_SUM, MPI_COMM_WORLD, &request);
    finish("reduce_scatter_block", &request, n / ranks);
    MPI_Ireduce_scatter(from(), fresh(), counts, type, MPI_SUM, MPI_COMM_WORLD, &request);
    finish("reduce_scatter", &request, counts[rank]);
    MPI_Iscan(MPI_IN_PLACE, in_place(), n, type, MPI_SUM, MPI_COMM_WORLD, &request);
    finish("scan", &request, n);
    MPI_Iexscan(from(), fresh(), n, type, MPI_SUM, MPI_COMM_WORLD, &request);
    finish("exscan", &request, rank ? n : 0);
}

/* The vector in parts that are all under way at once, the last one waited for first. */
static void at_once(void) {
    enum { PARTS = 4 };
    MPI_Request requests[PARTS];
    char *const send = from(), *const recv = fresh();
    for (int k = 0; k < PARTS; ++k) {
        const int begin = n * k / PARTS, end = n * (k + 1) / PARTS;
        MPI_Iallreduce(send + (size_t)begin * size, recv + (size_t)begin * size, end - begin, type,
                       MPI_SUM, MPI_COMM_WORLD, &requests[k]);
    }
    for (int k = PARTS; k-- > 0;) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    write_result("allreduce", n);
}

#if MPI_VERSION >= 4 || defined(OPEN_MPI)
static void persistent(void) {
    MPI_Request request;
    MPI_Allreduce_init(from(), fresh(), n, type, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int k = 0; k < 3; ++k) {
        char *const at = drawn_at[1];
        memset(has_device() ? readable_of(at) : at, 0x55, (size_t)n * size);
        MPI_Start(&request);
        finish("allreduce", &request, n);
    }
    MPI_Request_free(&request);
    MPI_Reduce_scatter_init(from(), fresh(), counts, type, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                            &request);
    MPI_Start(&request);
    finish("reduce_scatter", &request, counts[rank]);
    MPI_Request_free(&request);
}
#else
static void persistent(void) {}
#endif

static void read_numbers(const char *path) {
    FILE *const file = fopen(path, "rb");
    const size_t bytes = (size_t)n * size;
    if (!file || fseek(file, (long)((size_t)rank * bytes), SEEK_SET) ||
        fread(given, 1, bytes, file) != bytes)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(file);
}

static void make_type(const char *name) {
    type = !strcmp(name, "float")         ? MPI_FLOAT
           : !strcmp(name, "complex")     ? MPI_C_DOUBLE_COMPLEX
           : !strcmp(name, "double")      ? MPI_DOUBLE
           : !strcmp(name, "quad")        ? MPI_REAL16
           : !strcmp(name, "longcomplex") ? MPI_C_LONG_DOUBLE_COMPLEX
                                          : MPI_LONG_DOUBLE;
    int bytes;
    MPI_Type_size(type, &bytes);
    size = (size_t)bytes;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 5) MPI_Abort(MPI_COMM_WORLD, 1);
    make_type(argv[1]);
    n = atoi(argv[2]);
    given = memory((size_t)n * size);
    result = memory((size_t)n * size);
    load_device(rank, (size_t)n * size);
    read_numbers(argv[3]);
    counts = memory((size_t)ranks * sizeof *counts);
    for (int left = n, r = 0; r < ranks; ++r)
        left -= counts[r] = r == ranks - 1 ? left : r % 3 == 1 ? 0 : left / 2;
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", argv[4], rank);
    out = fopen(path, "w");
    if (!out) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int k = 5; k < argc || k == 5; ++k) {
        if (k < argc && hopbine_select(argv[k])) MPI_Abort(MPI_COMM_WORLD, 1);
        blocking();
        nonblocking();
        at_once();
        persistent();
    }
    fclose(out);
    MPI_Finalize();
    return 0;
}
