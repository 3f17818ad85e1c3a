/* Reports in one line that no collective was served, and why, when a program of hopbine run ends.
 *
 * - hopbine run becomes the program: its process id, in HOPBINE_PROGRAM, distinguishes the program
 *   from shells, helpers and forked children.
 * - A script that starts the MPI program as a child is recognised by its children. */
#define _GNU_SOURCE
#include "silence.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "library.h"
#include "rank_names.h"

int hopbine_seen, hopbine_served;
static int aborted, told;
static pid_t loaded_by;

int hopbine_is_first(void) {
    const char *const *names = hopbine_rank_names;
    for (size_t i = 0; i < sizeof hopbine_rank_names / sizeof *names; ++i)
        if (getenv(names[i])) return !strcmp(getenv(names[i]), "0");
    return 1;
}

/* The flag that an MPI function such as MPI_Initialized returns. */
static int asked(void *library, const char *function) {
    int flag = 0, (*ask)(int *);
    *(void **)&ask = dlsym(library, function);
    return ask && !ask(&flag) && flag;
}

/* Whether the program has had children: then these may have called MPI. */
static int has_children(void) {
    struct rusage of;
    return !getrusage(RUSAGE_CHILDREN, &of) &&
           (of.ru_minflt || of.ru_utime.tv_usec || of.ru_utime.tv_sec);
}

static const char *reason(void) {
    void *const library = loaded_library(RTLD_LOCAL);
    if (!library)
        return has_children() ? NULL
                              : "no MPI library is loaded: this is no MPI program, or its MPI "
                                "library is linked in statically";
    if (!asked(library, "PMPI_Initialized"))
        return has_children() ? NULL : "the program did not initialise MPI";
    if (aborted) return "the program was aborted";
    if (!hopbine_seen)
        return asked(library, "PMPI_Finalized")
                   ? "the program's MPI calls do not come by the dynamic linker (it looks them up "
                     "with dlsym, or is linked -Bsymbolic)"
                   : "the program ended without MPI_Finalize, and called no collective";
    return "the MPI library served all of its collectives, if there were any; --stats FILE tells "
           "why";
}

__attribute__((constructor)) static void loaded(void) { loaded_by = getpid(); }

__attribute__((destructor)) static void ends(void) {
    const char *program = getenv("HOPBINE_PROGRAM"), *summary = getenv("HOPBINE_SUMMARY");
    if (hopbine_served || told || !program || atol(program) != (long)getpid()) return;
    if (loaded_by != getpid() || !hopbine_is_first()) return;
    if (summary && !strcmp(summary, "never")) return;
    const char *why = reason();
    if (why) fprintf(stderr, "hopbine: no collective was served: %s\n", why);
}

/* Reports now: an MPI library may end the process without its destructors. Every rank may call
 * it. */
void silence_abort(void) {
    aborted = 1;
    ends();
    told = 1;
}

int silence_aborted(void) { return aborted; }

void silence_told(void) { told = 1; }
