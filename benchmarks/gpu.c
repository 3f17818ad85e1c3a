/* Times MPI_Allreduce, or NCCL's allreduce, of floats in the memory of CUDA devices.
 *
 *   gpu mpi|nccl REPETITIONS BYTES...    ranks of a node take its devices in turns
 *
 * Rank 0 prints what ran, `NAME: TEXT`, then for each size the median microseconds of the slowest
 * rank, and what served the call where hopbine did. Exit code 3: a wrong sum, 4: no such library or
 * device. Nothing is linked but MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "statistics.h"

enum { WARM = 5, WRONG = 3, ABSENT = 4 };
static int rank, p;

static void end(int code, const char *what) {
    fprintf(stderr, "rank %d: %s\n", rank, what);
    usleep(300000); /* launchers forget what they have not yet forwarded */
    MPI_Abort(MPI_COMM_WORLD, code);
}
static void need(int error, const char *what) {
    if (error) end(ABSENT, what);
}
static void find(void *library, const char *name, void *function) {
    *(void **)function = library ? dlsym(library, name) : NULL;
    if (!*(void **)function) end(ABSENT, name);
}

/* CUDA's driver: a context of its own device, and a stream. */
static int (*to_device)(uint64_t, const void *, size_t, void *);
static int (*to_host)(void *, uint64_t, size_t, void *);
static int (*allocate)(uint64_t *, size_t), (*finish)(void *);
static void *stream;

static void open_device(void) {
    void *const cuda = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL), *context;
    int (*begin)(unsigned), (*count)(int *), (*retain)(void **, int), (*enter)(void *),
        (*name_of)(char *, int, int), (*version)(int *), (*make)(void **, unsigned);
    int devices = 0, place, driver = 0;
    char name[256] = "";
    MPI_Comm node;
    find(cuda, "cuInit", &begin);
    find(cuda, "cuDeviceGetCount", &count);
    find(cuda, "cuDeviceGetName", &name_of);
    find(cuda, "cuDriverGetVersion", &version);
    find(cuda, "cuDevicePrimaryCtxRetain", &retain);
    find(cuda, "cuCtxSetCurrent", &enter);
    find(cuda, "cuStreamCreate", &make);
    find(cuda, "cuStreamSynchronize", &finish);
    find(cuda, "cuMemAlloc_v2", &allocate);
    find(cuda, "cuMemcpyHtoDAsync_v2", &to_device);
    find(cuda, "cuMemcpyDtoHAsync_v2", &to_host);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &place);
    MPI_Comm_free(&node);
    need(begin(0) || count(&devices) || !devices, "no device");
    place %= devices;
    need(retain(&context, place) || enter(context) || make(&stream, 0), "no context");
    need(name_of(name, sizeof name, place) || version(&driver), "no name");
    if (rank) return;
    printf("device: %s, %d on the node of rank 0\n", name, devices);
    printf("CUDA driver: %d.%d\n", driver / 1000, driver % 1000 / 10);
}

/* NCCL, with the numbers of its header. */
struct id {
    char bytes[128];
};
enum { NCCL_SUM = 0, NCCL_FLOAT = 7 };
static int (*nccl_allreduce)(uint64_t, uint64_t, size_t, int, int, void *, void *);
static void *nccl;

static void open_nccl(void) {
    void *const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    int (*make_id)(struct id *), (*join)(void **, int, struct id, int), (*version)(int *), v = 0;
    struct id id;
    find(library, "ncclGetUniqueId", &make_id);
    find(library, "ncclCommInitRank", &join);
    find(library, "ncclGetVersion", &version);
    find(library, "ncclAllReduce", &nccl_allreduce);
    need(version(&v) || (rank == 0 && make_id(&id)), "NCCL did not start");
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    need(join(&nccl, p, id, rank), "NCCL made no communicator of these ranks");
    if (rank == 0) printf("NCCL: %d.%d.%d\n", v / 10000, v / 100 % 100, v % 100);
}

static const char *(*served)(void), *served_by = "";

static int call(uint64_t from, uint64_t to, int n) {
    if (nccl)
        return nccl_allreduce(from, to, (size_t)n, NCCL_FLOAT, NCCL_SUM, nccl, stream) ||
               finish(stream);
    const int error = MPI_Allreduce((void *)(uintptr_t)from, (void *)(uintptr_t)to, n, MPI_FLOAT,
                                    MPI_SUM, MPI_COMM_WORLD);
    if (served) served_by = served();
    return error;
}

/* The median of the slowest rank's seconds; the sums of the last call are compared. */
static double seconds(uint64_t from, uint64_t to, int n, int repetitions) {
    double *const times = malloc((size_t)repetitions * sizeof *times);
    float *const host = malloc((size_t)n * sizeof *host);
    for (int i = 0; i < n; ++i) host[i] = (float)(i % 1000 + rank);
    need(to_device(from, host, (size_t)n * 4, stream) || finish(stream), "no copy to the device");
    for (int k = -WARM; k < repetitions; ++k) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        need(call(from, to, n), "an allreduce failed");
        const double took = MPI_Wtime() - begin;
        MPI_Reduce(&took, &times[k < 0 ? 0 : k], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    }
    need(to_host(host, to, (size_t)n * 4, stream) || finish(stream), "no copy from the device");
    for (int i = 0; i < n; ++i)
        if (host[i] != (float)(i % 1000 * p + p * (p - 1) / 2)) end(WRONG, "a wrong sum");
    qsort(times, (size_t)repetitions, sizeof *times, ascending);
    const double median = times[repetitions / 2];
    free(times), free(host);
    return median;
}

int main(int argc, char **argv) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (argc < 4) end(2, "usage: gpu mpi|nccl REPETITIONS BYTES...");
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    MPI_Get_library_version(library, &length);
    if (rank == 0) printf("MPI: %.*s\n", (int)strcspn(library, "\n,"), library);
    open_device();
    if (!strcmp(argv[1], "nccl")) open_nccl();
    for (int i = 3; i < argc; ++i) {
        const int bytes = atoi(argv[i]);
        uint64_t from = 0, to = 0;
        need(allocate(&from, (size_t)bytes) || allocate(&to, (size_t)bytes), "no device memory");
        const double median = seconds(from, to, bytes / 4, atoi(argv[2]));
        if (rank == 0) printf("%d %.2f %s\n", bytes, 1e6 * median, served_by);
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
