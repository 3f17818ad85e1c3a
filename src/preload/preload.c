/* libhopbine_preload.so: stands before the MPI library in every rank and hands collectives to hopbine's runtime.
 *
 * It knows no MPI: arguments go through as machine words, so one stub serves every MPI and is harmless in
 * processes that have none (shells, Python before it imports mpi4py). At the first call it finds the MPI library,
 * however that was loaded, and the runtime built for its family, which lies beside this file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"

#define EXPORT __attribute__((visibility("default")))
enum { PASS = INT_MIN }; /* the runtime's answer: the MPI library serves this call */

typedef int (*function)();

static void *library; /* where to look for the MPI library's symbols */
static function runtime_passed, runtime_select, runtime_finalize;
static const char *(*runtime_served)(void);
#define DECLARE(name, n, counts) static function runtime_##name, runtime_##name##_c;
HOPBINE_FUNCTIONS(DECLARE)
static pthread_once_t started = PTHREAD_ONCE_INIT;
/* Calls made by the MPI library or by hopbine itself while a call is being served go straight on. */
static __thread int inside;

/* The MPI library's own symbol: next in line, or in a library that was loaded privately (as Python's import does). */
static void *real(const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    return symbol || !library ? symbol : dlsym(library, name);
}

static void fatal(const char *name) {
    fprintf(stderr, "hopbine: %s was called, but no MPI library that has it is loaded\n", name);
    abort();
}

static void open_library(void) {
    static const char *const sonames[] = {"libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.0", "libmpi.so"};
    void *symbol = dlsym(RTLD_NEXT, "PMPI_Send");
    Dl_info where;
    if (symbol && dladdr(symbol, &where))
        library = dlopen(where.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    for (size_t i = 0; !symbol && !library && i < sizeof sonames / sizeof *sonames; ++i)
        library = dlopen(sonames[i], RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL); /* the runtime needs its symbols */
}

/* On one rank, where launchers tell which. */
static void say(const char *what) {
    const char *rank = getenv("PMIX_RANK") ? getenv("PMIX_RANK") : getenv("PMI_RANK") ? getenv("PMI_RANK") : "0";
    if (!strcmp(rank, "0")) fprintf(stderr, "hopbine: %s\n", what);
}

static int library_is_abi(void) {
    Dl_info where;
    void *symbol = real("PMPI_Send");
    return symbol && dladdr(symbol, &where) && where.dli_fname && strstr(where.dli_fname, "libmpi_abi");
}

static void open_runtime(void) {
    Dl_info self;
    char path[4096];
    const char *family = real("ompi_mpi_comm_world") ? "openmpi" : "mpich";
    /* The standard ABI has handles of its own, whichever MPI stands behind it. */
    if (library_is_abi()) {
        say("the MPI library serves all calls: there is no runtime for libmpi_abi");
        return;
    }
    if (!dladdr((void *)open_runtime, &self) || !self.dli_fname) return;
    const char *slash = strrchr(self.dli_fname, '/');
    int folder = slash ? (int)(slash - self.dli_fname) : 1;
    snprintf(path, sizeof path, "%.*s/libhopbine_%s.so", folder, slash ? self.dli_fname : ".", family);
    void *runtime = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!runtime) {
        snprintf(path, sizeof path, "the MPI library serves all calls: %s", dlerror());
        say(path);
        return;
    }
    *(void **)&runtime_passed = dlsym(runtime, "hopbine_passed");
    *(void **)&runtime_select = dlsym(runtime, "hopbine_select");
    *(void **)&runtime_served = dlsym(runtime, "hopbine_last_served");
    *(void **)&runtime_finalize = dlsym(runtime, "hopbine_finalize");
#define SET(name, n, counts) \
    *(void **)&runtime_##name = dlsym(runtime, "hopbine_MPI_" #name); \
    *(void **)&runtime_##name##_c = dlsym(runtime, "hopbine_MPI_" #name "_c");
    HOPBINE_FUNCTIONS(SET)
}

static void start(void) {
    ++inside;
    open_library();
    open_runtime();
    --inside;
}

#define WORDS_5 intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e
#define WORDS_6 WORDS_5, intptr_t f
#define WORDS_7 WORDS_6, intptr_t g
#define WORDS_8 WORDS_7, intptr_t h
#define GIVEN_5 a, b, c, d, e
#define GIVEN_6 GIVEN_5, f
#define GIVEN_7 GIVEN_6, g
#define GIVEN_8 GIVEN_7, h

/* Open MPI before 6 has no _c functions, but programs (mpi4py's wheel) bring fallbacks of their own under these names,
 * which the stubs hide. What hopbine does not serve then goes to the plain function, when its counts can hold it. */
static int fits(int counts, const intptr_t *words) {
    for (int i = 0; counts >> i; ++i)
        if (counts >> i & 1 && (words[i] > INT_MAX || words[i] < INT_MIN)) return 0;
    return 1;
}
enum { MPI_ERR_COUNT = 2 }; /* in Open MPI, the only library without _c functions */

/* Reduce_scatter's array of long counts as one of ints; null when one does not fit. To be freed. */
static intptr_t *narrowed(intptr_t counts, intptr_t comm) {
    int p = 0, (*size)(intptr_t, int *);
    *(void **)&size = real("PMPI_Comm_size");
    size(comm, &p);
    int *out = malloc(sizeof(int) * (size_t)(p > 0 ? p : 1));
    for (int i = 0; out && i < p; ++i) {
        const int64_t n = ((const int64_t *)counts)[i];
        if (n > INT_MAX || n < INT_MIN) {
            free(out);
            return NULL;
        }
        out[i] = (int)n;
    }
    return (intptr_t *)out;
}

/* `symbol` is what the program called (MPI_X or PMPI_X, so that other tools in line still see it), `entry` the runtime's. */
#define STUB(symbol, entry, n, fallback)                                \
    EXPORT int symbol(WORDS_##n) {                                      \
        static int (*next)(WORDS_##n);                                  \
        pthread_once(&started, start);                                  \
        if (!next) *(void **)&next = real(#symbol);                     \
        if (!next) next = fallback;                                     \
        if (!next) fatal(#symbol);                                      \
        if (inside || !entry) return next(GIVEN_##n);                   \
        ++inside;                                                       \
        int answer = ((int (*)(WORDS_##n))entry)(GIVEN_##n);            \
        if (answer == PASS) {                                           \
            answer = next(GIVEN_##n);                                   \
            runtime_passed();                                           \
        }                                                               \
        --inside;                                                       \
        return answer;                                                  \
    }

#define NARROW(symbol, n, counts)                                       \
    static int narrow_##symbol(WORDS_##n) {                             \
        static int (*plain)(WORDS_##n);                                 \
        const intptr_t words[] = {GIVEN_##n};                           \
        if (!plain) *(void **)&plain = real(#symbol);                   \
        if (!plain) fatal(#symbol);                                     \
        if ((counts) == ARRAY) {                                        \
            intptr_t *ints = narrowed(c, f_or_zero(words, n));          \
            if (!ints) return MPI_ERR_COUNT;                            \
            c = (intptr_t)ints;                                         \
            int answer = plain(GIVEN_##n);                              \
            free(ints);                                                 \
            return answer;                                              \
        }                                                               \
        return fits(counts, words) ? plain(GIVEN_##n) : MPI_ERR_COUNT;  \
    }
/* The communicator is Reduce_scatter's sixth argument. */
static intptr_t f_or_zero(const intptr_t *words, int n) { return n > 5 ? words[5] : 0; }

#define STUBS(name, n, counts)                       \
    STUB(MPI_##name, runtime_##name, n, NULL)        \
    STUB(PMPI_##name, runtime_##name, n, NULL)       \
    NARROW(MPI_##name, n, counts)                    \
    NARROW(PMPI_##name, n, counts)                   \
    STUB(MPI_##name##_c, runtime_##name##_c, n, narrow_MPI_##name) \
    STUB(PMPI_##name##_c, runtime_##name##_c, n, narrow_PMPI_##name)
HOPBINE_FUNCTIONS(STUBS)

#define FINALIZE(symbol)                                    \
    EXPORT int symbol(void) {                               \
        function next;                                      \
        pthread_once(&started, start);                      \
        *(void **)&next = real(#symbol);                    \
        if (!next) fatal(#symbol);                          \
        if (!inside && runtime_finalize) {                  \
            ++inside;                                       \
            runtime_finalize();                             \
            --inside;                                       \
        }                                                   \
        return next();                                      \
    }
FINALIZE(MPI_Finalize)
FINALIZE(PMPI_Finalize)

/* For benchmarks that compare algorithms within one run; see the runtime's call.cpp. */
EXPORT int hopbine_select(const char *algorithms) {
    pthread_once(&started, start);
    return runtime_select ? ((int (*)(const char *))runtime_select)(algorithms) : 1;
}
EXPORT const char *hopbine_last_served(void) {
    pthread_once(&started, start);
    return runtime_served ? runtime_served() : "mpi";
}
