#define _GNU_SOURCE
#include "runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "library.h"
#include "loads.h"
#include "presence.h"

struct runtime runtime;

static void refuse(const char *what, const char *why) {
    char line[4096 + 256];
    snprintf(line, sizeof line, "the MPI library serves all calls: %s%s", what, why);
    presence_say(line);
}

/* Opens a runtime and takes its functions. */
static void take(const char *path) {
    const unsigned before = loads_so_far();
    /* A function of MPI is bound when it is called: a rank calls few of more than a hundred. */
    void *const opened = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    const struct runtime *const functions = opened ? dlsym(opened, "hopbine_functions") : NULL;
    if (!opened) {
        refuse("", dlerror());
    } else if (!functions || functions->size != sizeof runtime) {
        refuse(path, " is of another version of hopbine");
    } else {
        runtime = *functions;
        loads_begin(before);
    }
}

void runtime_open(void) {
    const char *const family = family_of_library(), *const library = file_of(real("PMPI_Send")),
                      *const own = file_of((const void *)runtime_open),
                      *const slash = strrchr(own, '/');
    char path[4096];
    if (!*family) {
        refuse(library, " has neither the ABI of Open MPI, nor that of MPICH, nor that of MPI 5");
    } else if (!real("PMPI_Ineighbor_alltoallv")) { /* of those it needs, of the newest standard */
        refuse(library, " has not all functions of MPI 3");
    } else {
        snprintf(path, sizeof path, "%.*s/libhopbine_%s.so", slash ? (int)(slash - own) : 1,
                 slash ? own : ".", family);
        take(path);
    }
}
