/* A tool that initialises MPI by the next MPI_Init in the search order, not by PMPI_Init. Each rank
 * prints its name once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int MPI_Init(int *argc, char ***argv) {
    int (*next)(int *, char ***);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Init");
    puts("next_init");
    return next(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int (*next)(int *, char ***, int, int *);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Init_thread");
    puts("next_init");
    return next(argc, argv, required, provided);
}
