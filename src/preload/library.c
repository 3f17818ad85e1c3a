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

/* A part of a library, and the library's path. */
struct segment {
    uintptr_t begins, ends;
    const char *path;
};
static struct segment code = {0, 0, ""}; /* of the MPI library */

static int is_inside(const struct segment *segment, const void *symbol) {
    return (uintptr_t)symbol >= segment->begins && (uintptr_t)symbol < segment->ends;
}

struct search {
    const void *symbol;
    struct segment found;
};

static int keep_segment(struct dl_phdr_info *info, size_t size, void *kept) {
    struct search *const search = kept;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        const struct segment one = {from, from + info->dlpi_phdr[i].p_memsz, info->dlpi_name};
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !is_inside(&one, search->symbol)) continue;
        search->found = one;
        return 1;
    }
    return 0;
}

/* The segment that a symbol lies in. dladdr would walk all symbols of the library. */
static struct segment segment_of(const void *symbol) {
    struct search search = {symbol, {0, 0, ""}};
    if (symbol) dl_iterate_phdr(keep_segment, &search);
    return search.found;
}

const char *file_of(const void *symbol) { return segment_of(symbol).path; }

const char *family_of_library(void) {
    /* The standard ABI has handles of its own, whatever MPI library implements it. */
    return strstr(code.path, "libmpi_abi") ? "abi"
           : real("ompi_mpi_comm_world")   ? "openmpi"
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

int in_library(const void *symbol) { return is_inside(&code, symbol); }

/* Whether all libraries find a symbol of the MPI library, as they do where the program links it. */
static int is_global(const void *symbol) {
    void *const program = dlopen(NULL, RTLD_LAZY);
    const int global = program && dlsym(program, "PMPI_Send") == symbol;
    if (program) dlclose(program);
    return global;
}

/* The runtime needs the library's symbols, which may have been loaded for one module alone. To open
 * one that the program links makes a list of all libraries that it needs. */
static void open_library(void) {
    void *const symbol = dlsym(RTLD_NEXT, "PMPI_Send");
    code = segment_of(symbol);
    if (!symbol) {
        library = loaded_library(RTLD_GLOBAL);
        code = segment_of(real("PMPI_Send"));
    } else if (*code.path && !is_global(symbol)) {
        library = dlopen(code.path, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    }
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
