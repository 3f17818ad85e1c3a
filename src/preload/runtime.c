#define _GNU_SOURCE
#include "runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "library.h"
#include "loads.h"
#include "presence.h"

struct runtime runtime;

static void find_functions(void *opened) {
#define FIND(name, symbol) *(void **)&runtime.name = dlsym(opened, symbol);
#define FIND_BOTH(name) FIND(name, "hopbine_MPI_" #name) FIND(name##_c, "hopbine_MPI_" #name "_c")
#define FIND_FORMS(name, iname, ...) FIND_BOTH(name) FIND_BOTH(iname) FIND_BOTH(name##_init)
    HOPBINE_ALL_FUNCTIONS(FIND_FORMS)
#define FIND_PLAIN(name, ...) FIND(name, "hopbine_MPI_" #name)
    HOPBINE_PLAIN_FUNCTIONS(FIND_PLAIN)
    HOPBINE_REQUEST_FUNCTIONS(FIND_PLAIN)
    HOPBINE_WAIT_FUNCTIONS(FIND_PLAIN)
    HOPBINE_ACCUMULATE_FUNCTIONS(FIND_PLAIN)
#define FIND_OWN(name, ...) FIND(name, "hopbine_" #name)
    HOPBINE_RUNTIME_FUNCTIONS(FIND_OWN)
}

void runtime_open(void) {
    Dl_info self;
    char path[4096];
    const char *const family = family_of_library();
    if (!*family) {
        snprintf(
            path, sizeof path,
            "the MPI library serves all calls: %s has neither the ABI of Open MPI, nor that of "
            "MPICH, nor that of MPI 5",
            file_of(real("PMPI_Send")));
        presence_say(path);
        return;
    }
    if (!dladdr((void *)runtime_open, &self) || !self.dli_fname) return;
    const char *slash = strrchr(self.dli_fname, '/');
    int folder = slash ? (int)(slash - self.dli_fname) : 1;
    snprintf(path, sizeof path, "%.*s/libhopbine_%s.so", folder, slash ? self.dli_fname : ".",
             family);
    const unsigned before = loads_so_far();
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (opened) {
        find_functions(opened);
        loads_begin(before);
    } else {
        snprintf(path, sizeof path, "the MPI library serves all calls: %s", dlerror());
        presence_say(path);
    }
}
