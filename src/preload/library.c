#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library; /* searched for symbols that RTLD_NEXT does not find */
static pthread_once_t found = PTHREAD_ONCE_INIT;

void *real(const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    return symbol || !library ? symbol : dlsym(library, name);
}

const char *file_of(void *symbol) {
    Dl_info where;
    return symbol && dladdr(symbol, &where) && where.dli_fname ? where.dli_fname : "";
}

const char *family_of_library(void) {
    /* The standard ABI has handles of its own, whatever MPI library implements it. */
    return strstr(file_of(real("PMPI_Send")), "libmpi_abi") ? "abi"
           : real("ompi_mpi_comm_world")                    ? "openmpi"
           : real("MPIR_Dup_fn") ? "mpich" /* MPI_DUP_FN of mpi.h: in all libraries of the ABI */
                                 : "";
}

enum { MOST_NAMES = 32 };
struct names {
    const char *path[MOST_NAMES];
    size_t n;
};

/* Keeps the path of a loaded library that may be one of MPI: libmpi.so.40, libmpich.so.12,
 * libmpi_abi.so.1, Cray's libmpi_gnu_123.so.12 and others. */
static int keep_name(struct dl_phdr_info *info, size_t size, void *kept) {
    struct names *const all = kept;
    const char *const slash = strrchr(info->dlpi_name, '/');
    (void)size;
    if (!strncmp(slash ? slash + 1 : info->dlpi_name, "libmpi", 6) && all->n < MOST_NAMES)
        all->path[all->n++] = info->dlpi_name;
    return 0;
}

void *loaded_library(int mode) {
    struct names all = {.n = 0};
    dl_iterate_phdr(keep_name, &all);
    for (size_t i = 0; i < all.n; ++i) {
        void *const one = dlopen(all.path[i], RTLD_NOW | RTLD_NOLOAD),
                    *const symbol = one ? dlsym(one, "PMPI_Send") : NULL; /* may be of another */
        if (one) dlclose(one);
        if (symbol) return dlopen(file_of(symbol), RTLD_NOW | RTLD_NOLOAD | mode);
    }
    return NULL;
}

static uintptr_t begins, ends; /* addresses of the MPI library's code */

/* Keeps the segment that holds the address of PMPI_Send. */
static int keep_code(struct dl_phdr_info *info, size_t size, void *symbol) {
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                        to = from + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type != PT_LOAD || (uintptr_t)symbol < from ||
            (uintptr_t)symbol >= to)
            continue;
        begins = from, ends = to;
        return 1;
    }
    return 0;
}

int in_library(const void *symbol) {
    return (uintptr_t)symbol >= begins && (uintptr_t)symbol < ends;
}

/* The runtime needs the library's symbols, which may have been loaded for one module alone. */
static void open_library(void) {
    void *const symbol = dlsym(RTLD_NEXT, "PMPI_Send");
    library = *file_of(symbol) ? dlopen(file_of(symbol), RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL)
              : symbol         ? NULL
                               : loaded_library(RTLD_GLOBAL);
    dl_iterate_phdr(keep_code, real("PMPI_Send"));
}

void find_library(void) { pthread_once(&found, open_library); }

int is_tool(void *next, const char *symbol) {
    char profiling[64];
    if (symbol[0] == 'P' || in_library(next)) return 0;
    snprintf(profiling, sizeof profiling, "P%s", symbol);
    const char *file = file_of(next), *slash = strrchr(file, '/');
    return strcmp(file, file_of(real(profiling))) && strncmp(slash ? slash + 1 : file, "libmpi", 6);
}

any_function found_or(const char *name, any_function missing, int *tool) {
    void *const symbol = real(name);
    any_function next = missing;
    if (symbol) *(void **)&next = symbol;
    if (!next) {
        fprintf(stderr, "hopbine: %s was called, but no MPI library that has it is loaded\n", name);
        abort();
    }
    if (tool) __atomic_store_n(tool, symbol && is_tool(symbol, name), __ATOMIC_RELAXED);
    return next;
}

static int absent(void) { return MPI_ERR_OTHER; }

any_function extension(const char *name) { return found_or(name, (any_function)absent, NULL); }
