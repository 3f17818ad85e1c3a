#define _GNU_SOURCE
#include "calls.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "functions.h"

int (*select_algorithms)(const char *);
const char *(*last_served)(void);
static void *library;

/* Arguments of each function. N: type of counts, A: type of displacements, array_x: an array of
 * that type. */
#define ARGUMENTS_Bcast(N, A) (a->recv, (N)a->recv_count, a->recv_type, a->root, a->comm)
#define ARGUMENTS_Reduce(N, A) \
    (a->send, a->recv, (N)a->recv_count, a->recv_type, a->op, a->root, a->comm)
#define ARGUMENTS_Allreduce(N, A) (a->send, a->recv, (N)a->recv_count, a->recv_type, a->op, a->comm)
#define ARGUMENTS_Scan ARGUMENTS_Allreduce
#define ARGUMENTS_Exscan ARGUMENTS_Allreduce
#define MOVED(N) a->send, (N)a->send_count, a->send_type, a->recv, (N)a->recv_count, a->recv_type
#define ARGUMENTS_Gather(N, A) (MOVED(N), a->root, a->comm)
#define ARGUMENTS_Scatter(N, A) (MOVED(N), a->root, a->comm)
#define ARGUMENTS_Allgather(N, A) (MOVED(N), a->comm)
#define ARGUMENTS_Alltoall(N, A) (MOVED(N), a->comm)
#define RECV_ARRAYS(N, A) a->recv, (N *)w[2], (A *)w[3], a->recv_type
#define SEND_ARRAYS(N, A) a->send, (N *)w[0], (A *)w[1], a->send_type
#define ARGUMENTS_Gatherv(N, A) \
    (a->send, (N)a->send_count, a->send_type, RECV_ARRAYS(N, A), a->root, a->comm)
#define ARGUMENTS_Scatterv(N, A) \
    (SEND_ARRAYS(N, A), a->recv, (N)a->recv_count, a->recv_type, a->root, a->comm)
#define ARGUMENTS_Allgatherv(N, A) \
    (a->send, (N)a->send_count, a->send_type, RECV_ARRAYS(N, A), a->comm)
#define ARGUMENTS_Alltoallv(N, A) (SEND_ARRAYS(N, A), RECV_ARRAYS(N, A), a->comm)
#define ARGUMENTS_Reduce_scatter(N, A) (a->send, a->recv, (N *)w[2], a->recv_type, a->op, a->comm)
#define ARGUMENTS_Reduce_scatter_block(N, A) \
    (a->send, a->recv, (N)a->recv_count, a->recv_type, a->op, a->comm)

/* Defines a function's plain and _c form; words w are the arrays of counts and displacements. */
#define CALLS(name, ...)                                             \
    static int plain_##name(void *f, const Arguments *a, void **w) { \
        (void)w;                                                     \
        return ((int (*)())f)ARGUMENTS_##name(int, int);             \
    }                                                                \
    static int large_##name(void *f, const Arguments *a, void **w) { \
        (void)w;                                                     \
        return ((int (*)())f)ARGUMENTS_##name(MPI_Count, MPI_Aint);  \
    }
HOPBINE_FUNCTIONS(CALLS)

typedef int (*Call)(void *, const Arguments *, void **);
#define LINE(name, ...) {plain_##name, large_##name},
static const Call calls[][2] = {HOPBINE_FUNCTIONS(LINE)};
static void *symbols[64][2][2][2]; /* [function][library's or first][profiled][large] */

static void *from_first(const char *name) { return dlsym(RTLD_DEFAULT, name); }

void *library_symbol(const char *name) { return library ? dlsym(library, name) : from_first(name); }

void find_library(void) {
    static const char *const names[] = {"libmpi.so.40",    "libmpi.so.12",    "libmpich.so.12",
                                        "libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi.so"};
    char name[80];
    *(void **)&select_algorithms = from_first("hopbine_select");
    *(void **)&last_served = from_first("hopbine_last_served");
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; ++i) {
        library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
        if (library && !dlsym(library, "PMPI_Send")) library = NULL;
    }
    for (int f = 0; f < functions_known; ++f)
        for (int own = 0; own < 2; ++own)
            for (int profiled = 0; profiled < 2; ++profiled)
                for (int large = 0; large < 2; ++large) {
                    snprintf(name, sizeof name, "%sMPI_%s%s", profiled ? "P" : "",
                             function_names[f], large ? "_c" : "");
                    symbols[f][own][profiled][large] =
                        own ? library_symbol(name) : from_first(name);
                }
}

/* Converts numbers to ints. */
static void *narrow(const void *from, int wide, int n) {
    int *out = from ? malloc(sizeof(int) * (size_t)(n + 1)) : NULL;
    for (int i = 0; out && i < n; ++i)
        out[i] = wide ? (int)((const MPI_Count *)from)[i] : (int)((const MPI_Aint *)from)[i];
    return out;
}

static int call(const Case *c, const Arguments *a, int own) {
    void *f = symbols[c->function][own][own ? 1 : c->profiled][c->large];
    const int large = c->large && f,
              n = c->in.blocks > c->out.blocks ? c->in.blocks : c->out.blocks,
              all = c->traits->reduces ? c->on->size : n;
    if (!f) f = symbols[c->function][own][own ? 1 : c->profiled][0];
    void *w[4] = {a->send_counts, a->send_at, a->recv_counts, a->recv_at}, *given[4];
    for (int i = 0; i < 4; ++i) {
        const int here = i < 2 ? c->in.blocks : c->traits->reduces ? all : c->out.blocks;
        given[i] = large ? w[i] : narrow(w[i], i % 2 == 0, here);
    }
    const int error = calls[c->function][large](f, a, given);
    for (int i = 0; i < 4 && !large; ++i) free(given[i]);
    return error;
}

int call_first(const Case *c, const Arguments *a) { return call(c, a, 0); }

int call_library(const Case *c, const Arguments *a) { return call(c, a, 1); }
