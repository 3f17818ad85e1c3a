/* The real-time class of ranks, so that other work on this machine does not delay them: round
 * robin, of the lowest priority, from the end of MPI_Init to the beginning of MPI_Finalize. Outside
 * MPICH waits for its launcher without yielding, which would then get no core.
 *
 * Without root the kernel refuses the class, and nothing changes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int init(int *, char ***);
typedef int init_thread(int *, char ***, int, int *);
typedef int finalize(void);
int MPI_Init(int *count, char ***words);
int MPI_Init_thread(int *count, char ***words, int wanted, int *provided);
int MPI_Finalize(void);
int PMPI_Init(int *count, char ***words);
int PMPI_Init_thread(int *count, char ***words, int wanted, int *provided);
int PMPI_Finalize(void);

struct wanted {
    const char *name;
    void *symbol;
};

/* Looks into a loaded library of MPI, which a module of Python may have loaded for itself alone. */
static int look_into(struct dl_phdr_info *info, size_t size, void *looked_for) {
    struct wanted *const wanted = looked_for;
    const char *const slash = strrchr(info->dlpi_name, '/');
    (void)size;
    if (strncmp(slash ? slash + 1 : info->dlpi_name, "libmpi", 6)) return 0;
    void *const library = dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
    wanted->symbol = library ? dlsym(library, wanted->name) : NULL;
    return wanted->symbol != NULL;
}

/* The MPI library's function of a name. */
static void *real(const char *name) {
    struct wanted wanted = {name, dlsym(RTLD_NEXT, name)};
    if (!wanted.symbol) dl_iterate_phdr(look_into, &wanted);
    if (!wanted.symbol) {
        fprintf(stderr, "hopbine emulate: %s was called, but no loaded library has it\n", name);
        abort();
    }
    return wanted.symbol;
}

static void realtime(int on) {
    const char *const asked = getenv("IDLE_REALTIME");
    const struct sched_param priority = {.sched_priority = on};
    if (asked && *asked == '1') sched_setscheduler(0, on ? SCHED_RR : SCHED_OTHER, &priority);
}

static int started(int error) {
    realtime(1);
    return error;
}

int MPI_Init(int *count, char ***words) {
    return started(((init *)real("MPI_Init"))(count, words));
}

/* PMPI's are what Fortran's and tools' calls come to. */
int PMPI_Init(int *count, char ***words) {
    return started(((init *)real("PMPI_Init"))(count, words));
}

int MPI_Init_thread(int *count, char ***words, int wanted, int *provided) {
    return started(((init_thread *)real("MPI_Init_thread"))(count, words, wanted, provided));
}

int PMPI_Init_thread(int *count, char ***words, int wanted, int *provided) {
    return started(((init_thread *)real("PMPI_Init_thread"))(count, words, wanted, provided));
}

int MPI_Finalize(void) {
    realtime(0);
    return ((finalize *)real("MPI_Finalize"))();
}

int PMPI_Finalize(void) {
    realtime(0);
    return ((finalize *)real("PMPI_Finalize"))();
}
