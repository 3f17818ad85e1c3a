/* Calls one allreduce, or none, in the way that the argument selects. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The MPI library that the program is linked with. */
static void *mpi_library(void) {
    static const char *const names[] = {"libmpi.so.40", "libmpi.so.12", "libmpich.so.12"};
    void *library = NULL;
    for (int i = 0; !library && i < 3; ++i) library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
    return library;
}

int main(int argc, char **argv) {
    int one = 1, sum = 0;
    const char *how = argc > 1 ? argv[1] : "";
    if (!strcmp(how, "dlsym")) {
        void *library = mpi_library();
        int (*init)(int *, char ***), (*finalize)(void),
            (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
        *(void **)&init = dlsym(library, "MPI_Init");
        *(void **)&finalize = dlsym(library, "MPI_Finalize");
        *(void **)&allreduce = dlsym(library, "MPI_Allreduce");
        init(&argc, &argv);
        allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        return finalize();
    }
    MPI_Init(&argc, &argv);
    if (!strcmp(how, "served")) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (!strcmp(how, "self")) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    if (!strcmp(how, "abort")) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 0;
}
