/* Preloaded behind hopbine: an MPI library that gives no more than MPI_THREAD_FUNNELED. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int (*init)(int *, char ***, int, int *);
    *(void **)&init = dlsym(RTLD_NEXT, "PMPI_Init_thread");
    return init(argc, argv, required > MPI_THREAD_FUNNELED ? MPI_THREAD_FUNNELED : required,
                provided);
}
