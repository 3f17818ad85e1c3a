#define _GNU_SOURCE
#include "calls.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "functions.h"

int (*select_algorithms)(const char *);
const char *(*last_served)(void);
static void *library;

/* Arguments of each function. N: type of counts, A: type of displacements, END: what follows the
 * communicator. */
#define ARGUMENTS_Bcast(N, A, END) (a->recv, (N)a->recv_count, a->recv_type, a->root, a->comm END)
#define ARGUMENTS_Reduce(N, A, END) \
    (a->send, a->recv, (N)a->recv_count, a->recv_type, a->op, a->root, a->comm END)
#define ARGUMENTS_Allreduce(N, A, END) \
    (a->send, a->recv, (N)a->recv_count, a->recv_type, a->op, a->comm END)
#define ARGUMENTS_Scan ARGUMENTS_Allreduce
#define ARGUMENTS_Exscan ARGUMENTS_Allreduce
#define MOVED(N) a->send, (N)a->send_count, a->send_type, a->recv, (N)a->recv_count, a->recv_type
#define ARGUMENTS_Gather(N, A, END) (MOVED(N), a->root, a->comm END)
#define ARGUMENTS_Scatter(N, A, END) (MOVED(N), a->root, a->comm END)
#define ARGUMENTS_Allgather(N, A, END) (MOVED(N), a->comm END)
#define ARGUMENTS_Alltoall(N, A, END) (MOVED(N), a->comm END)
#define RECV_ARRAYS(N, A) a->recv, (N *)w[2], (A *)w[3], a->recv_type
#define SEND_ARRAYS(N, A) a->send, (N *)w[0], (A *)w[1], a->send_type
#define ARGUMENTS_Gatherv(N, A, END) \
    (a->send, (N)a->send_count, a->send_type, RECV_ARRAYS(N, A), a->root, a->comm END)
#define ARGUMENTS_Scatterv(N, A, END) \
    (SEND_ARRAYS(N, A), a->recv, (N)a->recv_count, a->recv_type, a->root, a->comm END)
#define ARGUMENTS_Allgatherv(N, A, END) \
    (a->send, (N)a->send_count, a->send_type, RECV_ARRAYS(N, A), a->comm END)
#define ARGUMENTS_Alltoallv(N, A, END) (SEND_ARRAYS(N, A), RECV_ARRAYS(N, A), a->comm END)
#define ARGUMENTS_Reduce_scatter(N, A, END) \
    (a->send, a->recv, (N *)w[2], a->recv_type, a->op, a->comm END)
#define ARGUMENTS_Reduce_scatter_block(N, A, END) \
    (a->send, a->recv, (N)a->recv_count, a->recv_type, a->op, a->comm END)

/* Their types. */
#define REDUCED(N) const void *, void *, N, MPI_Datatype, MPI_Op
#define TYPES_Bcast(N, A, END) (void *, N, MPI_Datatype, int, MPI_Comm END)
#define TYPES_Reduce(N, A, END) (REDUCED(N), int, MPI_Comm END)
#define TYPES_Allreduce(N, A, END) (REDUCED(N), MPI_Comm END)
#define TYPES_Scan TYPES_Allreduce
#define TYPES_Exscan TYPES_Allreduce
#define TYPES_Reduce_scatter_block TYPES_Allreduce
#define TYPES_Reduce_scatter(N, A, END) \
    (const void *, void *, const N *, MPI_Datatype, MPI_Op, MPI_Comm END)
#define SENT(N) const void *, N, MPI_Datatype
#define GOT(N) void *, N, MPI_Datatype
#define SENT_BLOCKS(N, A) const void *, const N *, const A *, MPI_Datatype
#define GOT_BLOCKS(N, A) void *, const N *, const A *, MPI_Datatype
#define TYPES_Gather(N, A, END) (SENT(N), GOT(N), int, MPI_Comm END)
#define TYPES_Scatter TYPES_Gather
#define TYPES_Allgather(N, A, END) (SENT(N), GOT(N), MPI_Comm END)
#define TYPES_Alltoall TYPES_Allgather
#define TYPES_Gatherv(N, A, END) (SENT(N), GOT_BLOCKS(N, A), int, MPI_Comm END)
#define TYPES_Scatterv(N, A, END) (SENT_BLOCKS(N, A), GOT(N), int, MPI_Comm END)
#define TYPES_Allgatherv(N, A, END) (SENT(N), GOT_BLOCKS(N, A), MPI_Comm END)
#define TYPES_Alltoallv(N, A, END) (SENT_BLOCKS(N, A), GOT_BLOCKS(N, A), MPI_Comm END)

#define END_BLOCKING
#define END_NONBLOCKING , request
#define END_PERSISTENT , MPI_INFO_NULL, request
#define TYPES_END_BLOCKING
#define TYPES_END_NONBLOCKING , MPI_Request *
#define TYPES_END_PERSISTENT , MPI_Info, MPI_Request *

/* Defines one form of a function. Words w are the arrays of counts and displacements. */
#define DEFINE(size, name, N, A, form)                                       \
    static int size##_##form##_##name(void *f, const Arguments *a, void **w, \
                                      MPI_Request *request) {                \
        int(*call) TYPES_##name(N, A, TYPES_END_##form);                     \
        *(void **)&call = f;                                                 \
        (void)w, (void)request;                                              \
        return call ARGUMENTS_##name(N, A, END_##form);                      \
    }
#define CALLS(name, ...)                                  \
    DEFINE(plain, name, int, int, BLOCKING)               \
    DEFINE(plain, name, int, int, NONBLOCKING)            \
    DEFINE(plain, name, int, int, PERSISTENT)             \
    DEFINE(large, name, MPI_Count, MPI_Aint, BLOCKING)    \
    DEFINE(large, name, MPI_Count, MPI_Aint, NONBLOCKING) \
    DEFINE(large, name, MPI_Count, MPI_Aint, PERSISTENT)
HOPBINE_FUNCTIONS(CALLS)

typedef int (*Call)(void *, const Arguments *, void **, MPI_Request *);
#define SIZE(size, name) \
    {size##_BLOCKING_##name, size##_NONBLOCKING_##name, size##_PERSISTENT_##name}
#define LINE(name, ...) {SIZE(plain, name), SIZE(large, name)},
static const Call calls[][2][FORMS] = {HOPBINE_FUNCTIONS(LINE)};
#define NONBLOCKING_NAME(name, iname, ...) #iname,
static const char *const nonblocking_names[] = {HOPBINE_FUNCTIONS(NONBLOCKING_NAME) "Ibarrier"};
/* [function][form][library's or first][profiled][large]; after the functions the barrier. */
static void *symbols[64][FORMS][2][2][2];

static void *from_first(const char *name) { return dlsym(RTLD_DEFAULT, name); }

void *library_symbol(const char *name) { return library ? dlsym(library, name) : from_first(name); }

static void find_function(int f, Form form) {
    char name[80];
    for (int own = 0; own < 2; ++own)
        for (int profiled = 0; profiled < 2; ++profiled)
            for (int large = 0; large < 2; ++large) {
                snprintf(name, sizeof name, "%sMPI_%s%s%s", profiled ? "P" : "", name_of(f, form),
                         form == PERSISTENT ? "_init" : "", large ? "_c" : "");
                symbols[f][form][own][profiled][large] =
                    own ? library_symbol(name) : from_first(name);
            }
}

const char *name_of(int function, Form form) {
    if (form == NONBLOCKING) return nonblocking_names[function];
    return function == functions_known ? "Barrier" : function_names[function];
}

int has_form(int function, Form form) { return symbols[function][form][1][1][0] != NULL; }

void find_library(void) {
    static const char *const names[] = {"libmpi.so.40",    "libmpi.so.12",    "libmpich.so.12",
                                        "libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi.so"};
    *(void **)&select_algorithms = from_first("hopbine_select");
    *(void **)&last_served = from_first("hopbine_last_served");
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; ++i) {
        library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
        if (library && !dlsym(library, "PMPI_Send")) library = NULL;
    }
    for (int f = 0; f <= functions_known; ++f)
        for (Form form = BLOCKING; form < FORMS; ++form) find_function(f, form);
}

/* Converts numbers to ints. */
static void *narrow(const void *from, int wide, int n) {
    int *out = from ? malloc(sizeof(int) * (size_t)(n + 1)) : NULL;
    for (int i = 0; out && i < n; ++i)
        out[i] = wide ? (int)((const MPI_Count *)from)[i] : (int)((const MPI_Aint *)from)[i];
    return out;
}

int call_form(const Case *c, const Arguments *a, int own, Form form, MPI_Request *request,
              Arrays *kept) {
    void **found = symbols[c->function][form][own][own ? 1 : c->profiled];
    /* hopbine has _c forms that the MPI library has not, but no persistent ones. */
    void *needed = form == PERSISTENT ? symbols[c->function][form][1][1][1] : found[1];
    const int large = c->large && found[1] && needed,
              n = c->in.blocks > c->out.blocks ? c->in.blocks : c->out.blocks,
              all = c->traits->reduces ? c->on->size : n;
    void *w[4] = {a->send_counts, a->send_at, a->recv_counts, a->recv_at};
    kept->made = !large;
    for (int i = 0; i < 4; ++i) {
        const int here = i < 2 ? c->in.blocks : c->traits->reduces ? all : c->out.blocks;
        kept->words[i] = large ? w[i] : narrow(w[i], i % 2 == 0, here);
    }
    return calls[c->function][large][form](found[large], a, kept->words, request);
}

void free_arrays(Arrays *kept) {
    for (int i = 0; i < 4 && kept->made; ++i) free(kept->words[i]);
    kept->made = 0;
}

int call_barrier(MPI_Comm comm, int own, int profiled, Form form, MPI_Request *request) {
    void *f = symbols[functions_known][form][own][own ? 1 : profiled][0];
    if (form == BLOCKING) return ((int (*)(MPI_Comm))f)(comm);
    if (form == NONBLOCKING) return ((int (*)(MPI_Comm, MPI_Request *))f)(comm, request);
    return ((int (*)(MPI_Comm, MPI_Info, MPI_Request *))f)(comm, MPI_INFO_NULL, request);
}

static int call(const Case *c, const Arguments *a, int own) {
    Arrays given;
    const int error = call_form(c, a, own, BLOCKING, NULL, &given);
    free_arrays(&given);
    return error;
}

int call_first(const Case *c, const Arguments *a) { return call(c, a, 0); }

int call_library(const Case *c, const Arguments *a) { return call(c, a, 1); }

int is_rounded(const Case *c) {
    return !c->exact && c->traits->root == NOBODY && c->traits->reduces && !c->traits->send_many &&
           !c->on->inter && !c->traits->prefix;
}

int same_everywhere(const TestComm *w, uint64_t hash) {
    uint64_t ends[2] = {hash, ~hash}, least[2];
    int (*reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    *(void **)&reduce = library_symbol("PMPI_Allreduce");
    reduce(ends, least, 2, MPI_UINT64_T, MPI_MIN, w->comm);
    return least[0] == ~least[1];
}

int quiet_library(const Case *c) { return tame && is_mpich && c->users && c->out.layout->low != 0; }
