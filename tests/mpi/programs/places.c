/* Allreduces in device memory, which are served there or on copies in host memory.
 *
 *   places BYTES CALLS     HOPBINE_TEST_DEVICE: a library of tests/device/fake
 *
 * Compares each result. Prints how many of the first, and of the last ten calls of rank 0 have
 * copied between host and device, and "N passed, M failed". */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void *symbol(void *library, const char *name) {
    void *const out = dlsym(library, name);
    if (!out) fprintf(stderr, "%s is missing\n", name), MPI_Abort(MPI_COMM_WORLD, 2);
    return out;
}

int main(int argc, char **argv) {
    int rank, p, failed = 0, staged[2] = {0, 0};
    void *(*alloc)(size_t, int), *(*twin)(const void *);
    int (*copies)(void);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    void *const library = dlopen(getenv("HOPBINE_TEST_DEVICE"), RTLD_NOW | RTLD_LOCAL);
    if (!library || argc != 3) fprintf(stderr, "no device\n"), MPI_Abort(MPI_COMM_WORLD, 2);
    *(void **)&alloc = symbol(library, "fake_alloc");
    *(void **)&twin = symbol(library, "fake_twin");
    *(void **)&copies = symbol(library, "fake_copies");
    const int n = atoi(argv[1]) / 4, calls = atoi(argv[2]);
    int *const buffer = alloc((size_t)n * 4, 0), *const here = twin(buffer);
    for (int call = 0; call < calls; ++call) {
        for (int i = 0; i < n; ++i) here[i] = rank + i + call;
        const int before = copies();
        MPI_Allreduce(MPI_IN_PLACE, buffer, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (call < 10 || call >= calls - 10) staged[call >= 10] += copies() > before;
        for (int i = 0; i < n; ++i) failed += here[i] != p * (i + call) + p * (p - 1) / 2;
    }
    if (rank == 0) printf("staged: %d, then %d\n", staged[0], staged[1]);
    if (rank == 0) printf("%d passed, %d failed\n", calls, failed);
    MPI_Finalize();
    return failed > 0;
}
