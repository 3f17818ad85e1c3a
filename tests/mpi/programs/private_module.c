/* With MODULE defined: a module that is an MPI program, as Python's are. Else what loads it for
 * itself alone. */
#ifdef MODULE
#include <mpi.h>
#include <stdio.h>

int run(void) {
    int rank, ranks, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %d\n", sum);
    return MPI_Finalize();
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    void *const module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*run)(void);
    if (!module) return printf("%s\n", dlerror());
    *(void **)&run = dlsym(module, "run");
    return run();
}
#endif
