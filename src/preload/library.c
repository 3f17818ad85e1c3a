#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library; /* searched for symbols that RTLD_NEXT does not find */
static pthread_once_t found = PTHREAD_ONCE_INIT;

void *real(const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    return symbol || !library ? symbol : dlsym(library, name);
}

void fatal(const char *name) {
    fprintf(stderr, "hopbine: %s was called, but no MPI library that has it is loaded\n", name);
    abort();
}

const char *file_of(void *symbol) {
    Dl_info where;
    return symbol && dladdr(symbol, &where) && where.dli_fname ? where.dli_fname : "";
}

const char *family_of_library(void) {
    /* The standard ABI has handles of its own, whatever MPI library implements it. */
    return strstr(file_of(real("PMPI_Send")), "libmpi_abi") ? "abi"
           : real("ompi_mpi_comm_world")                    ? "openmpi"
                                                            : "mpich";
}

static void open_library(void) {
    static const char *const sonames[] = {"libmpi.so.40",    "libmpi.so.12",    "libmpich.so.12",
                                          "libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi.so"};
    void *symbol = dlsym(RTLD_NEXT, "PMPI_Send");
    if (*file_of(symbol)) library = dlopen(file_of(symbol), RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    for (size_t i = 0; !symbol && !library && i < sizeof sonames / sizeof *sonames; ++i)
        library = dlopen(sonames[i],
                         RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL); /* the runtime needs its symbols */
}

void find_library(void) { pthread_once(&found, open_library); }
