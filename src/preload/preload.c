/* libhopbine_preload.so: interposes MPI functions in every rank and passes collectives to the
 * runtime.
 *
 * - It needs no mpi.h: arguments are machine words. One stub serves every MPI library and is
 *   harmless in processes without one (shells, Python before it imports mpi4py).
 * - At the first call it finds the MPI library, however it was loaded, and the runtime built for
 *   its family, which lies beside this file. */
#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "functions.h"
#include "library.h"
#include "narrow.h"
#include "presence.h"
#include "runtime.h"
#include "silence.h"
#include "tally.h"
#include "threads.h"
#include "watch.h"
#include "words.h"

#define EXPORT __attribute__((visibility("default")))
#define BOTH(stub, name) stub(MPI_##name) stub(PMPI_##name)
/* Results of the runtime: the library serves this call. TIMED: hopbine_passed() follows it.
 * COUNTED: it does so where the library refuses the call. */
enum { PASS = INT_MIN, PASS_TIMED = INT_MIN + 1, PASS_COUNTED = INT_MIN + 2 };

static pthread_once_t started = PTHREAD_ONCE_INIT;
/* Calls that hopbine itself makes are passed on at once. */
static __thread int inside __attribute__((tls_model("initial-exec")));
/* What the runtime remembers of this thread's calls. It lies here because this library is loaded at
 * start: its thread-local storage is found without a function call. */
EXPORT __thread void *hopbine_thread __attribute__((tls_model("initial-exec")));
/* Where this thread's last call was made; kept only where statistics ask for it. */
EXPORT __thread void *hopbine_caller __attribute__((tls_model("initial-exec")));
static int keeps_callers; /* set before MPI_Init returns */
/* Also called when an exception of the program unwinds the stack. */
static void leave(const int *entered) {
    (void)entered;
    inside = 0;
}
#define INSIDE __attribute__((cleanup(leave), unused)) const int entered = ++inside

static void start(void) {
    INSIDE;
    find_library();
    runtime_open();
}

/* Sets `next` to what the program calls without hopbine, found at the first call, and `left` to
 * whether hopbine leaves the call alone: it is its own, or a tool comes first. */
#define NEXT(symbol, n, fallback)                                                          \
    static int (*known)(WORDS_##n), tool; /* several threads may set them; `known` last */ \
    int (*next)(WORDS_##n) = __atomic_load_n(&known, __ATOMIC_ACQUIRE);                    \
    if (!next) {                                                                           \
        pthread_once(&started, start);                                                     \
        next = (int (*)(WORDS_##n))found_or(#symbol, (any_function)(fallback), &tool);     \
        __atomic_store_n(&known, next, __ATOMIC_RELEASE);                                  \
    }                                                                                      \
    const int left = inside || __atomic_load_n(&tool, __ATOMIC_RELAXED);

/* Defines a stub. `symbol` is what the program called (MPI_X or PMPI_X, so that other tools in the
 * search order still see it), `entry` the runtime's function, `kind` what it counts as, `function`
 * and `at` what it is watched as. */
#define STUB(symbol, entry, n, fallback, kind, function, at)                                     \
    EXPORT int symbol(WORDS_##n) {                                                               \
        NEXT(symbol, n, fallback)                                                                \
        HOPBINE_NOTE(hopbine_seen);                                                              \
        int (*const serve)(WORDS_##n) = entry; /* read once: another thread may change it */     \
        if (left) return next(GIVEN_##n);                                                        \
        WATCH(function, n, at)                                                                   \
        COMPARE(function, n, at)                                                                 \
        if (!serve) return WATCHED_ANSWER(next(GIVEN_##n));                                      \
        tally_made(kind);                                                                        \
        if (keeps_callers) hopbine_caller = __builtin_return_address(0);                         \
        int answer;                                                                              \
        {                                                                                        \
            INSIDE;                                                                              \
            answer = serve(GIVEN_##n);                                                           \
        }                                                                                        \
        if (answer == PASS) return WATCHED_ANSWER(next(GIVEN_##n));                              \
        if (answer == PASS_TIMED || answer == PASS_COUNTED) {                                    \
            const int timed = answer == PASS_TIMED;                                              \
            answer = WATCHED_ANSWER(next(GIVEN_##n));                                            \
            if (!timed && answer == 0) return 0;                                                 \
            INSIDE; /* a block of trials may end with a barrier, which is no call of the user */ \
            runtime.passed(answer);                                                              \
        } else {                                                                                 \
            HOPBINE_NOTE(hopbine_served);                                                        \
            tally_served(kind);                                                                  \
            /* Last, since an error handler may not return. */                                   \
            if (WATCHED_ANSWER(answer)) runtime.raise(answer);                                   \
        }                                                                                        \
        return answer;                                                                           \
    }

/* What serves a _c function that the library does not have. */
#define NARROW(symbol, n, taken, counts, arrays, arrays_of, missing)                              \
    static int narrow_##symbol(WORDS_##taken) {                                                   \
        intptr_t words[] = {GIVEN_##taken};                                                       \
        return narrow_call(#symbol, (any_function)(missing), n, taken, counts, arrays, arrays_of, \
                           words);                                                                \
    }

/* Two macros, so that names and numbers are made before they are used. */
#define FORM(...) FORM_OF(__VA_ARGS__)
#define FORM_OF(name, n, taken, counts, arrays, arrays_of, missing, kind)      \
    STUB(MPI_##name, runtime.name, taken, missing, kind, WATCH_##name, n - 1)  \
    STUB(PMPI_##name, runtime.name, taken, missing, kind, WATCH_##name, n - 1) \
    NARROW(MPI_##name, n, taken, counts, arrays, arrays_of, missing)           \
    NARROW(PMPI_##name, n, taken, counts, arrays, arrays_of, missing)          \
    STUB(MPI_##name##_c, runtime.name##_c, taken, narrow_MPI_##name, kind,     \
         WATCH_##name | WATCH_LARGE, n - 1)                                    \
    STUB(PMPI_##name##_c, runtime.name##_c, taken, narrow_PMPI_##name, kind,   \
         WATCH_##name | WATCH_LARGE, n - 1)
#define STUBS(name, iname, n, m, counts, arrays, arrays_of)        \
    FORM(name, n, n, counts, arrays, arrays_of, NULL, COUNT_CALL)  \
    FORM(iname, n, m, counts, arrays, arrays_of, NULL, COUNT_CALL) \
    FORM(name##_init, n, ONE_MORE_##m, counts, arrays, arrays_of,  \
         extension("PMPIX_" #name "_init"), COUNT_PERSISTENT)
HOPBINE_ALL_FUNCTIONS(STUBS)

/* Both stubs of a function without counts. */
#define STUB_BOTH(name, ...) STUB(MPI_##name, __VA_ARGS__) STUB(PMPI_##name, __VA_ARGS__)
#define PLAIN_STUBS(name, n, kind, first) \
    STUB_BOTH(name, (first, runtime.name), n, extension("PMPIX_" #name), kind, WATCH_##name, 0)
HOPBINE_PLAIN_FUNCTIONS(PLAIN_STUBS)

#define PASSED_STUBS(name, n) \
    STUB_BOTH(name, NULL, n, extension("PMPIX_" #name), COUNT_NOT, WATCH_NOT, -1)
HOPBINE_PASSED_FUNCTIONS(PASSED_STUBS)

/* Without requests of hopbine's these cost one check. */
#define OURS(entry) (runtime.has_requests && runtime.has_requests() ? entry : NULL)
#define REQUEST_STUBS(name, n) \
    STUB_BOTH(name, OURS(runtime.name), n, NULL, COUNT_NOT, WATCH_NOT, -1)
HOPBINE_REQUEST_FUNCTIONS(REQUEST_STUBS)

/* Without statistics, and where the MPI library's progress resumes calls, these cost one check. */
static int watches_waits; /* set before MPI_Init returns */
#define WATCHED(entry) (watches_waits ? entry : NULL)
#define WAIT_STUBS(name, n) \
    STUB_BOTH(name, WATCHED(runtime.name), n, NULL, COUNT_NOT, WATCH_##name, -1)
HOPBINE_WAIT_FUNCTIONS(WAIT_STUBS)

/* Where sums may be rounded, these cost one check. */
static int exact_sums; /* set before MPI_Init returns */
#define SUMMED(entry) (exact_sums ? entry : NULL)
#define ACCUMULATE_STUBS(name, n) \
    STUB_BOTH(name, SUMMED(runtime.name), n, extension("PMPIX_" #name), COUNT_NOT, WATCH_NOT, -1)
HOPBINE_ACCUMULATE_FUNCTIONS(ACCUMULATE_STUBS)

/* Passed on, and recorded where calls are watched: one check where not. */
#define POINT_STUBS(name, n, at) STUB(MPI_##name, NULL, n, NULL, COUNT_NOT, WATCH_##name, at)
HOPBINE_POINT_FUNCTIONS(POINT_STUBS)
#define POLL_STUBS(name, n)                                               \
    EXPORT int MPI_##name(WORDS_##n) {                                    \
        NEXT(MPI_##name, n, NULL)                                         \
        if (!left) watch_poll(WATCH_##name, __builtin_return_address(0)); \
        return next(GIVEN_##n);                                           \
    }
HOPBINE_POLL_FUNCTIONS(POLL_STUBS)

/* The runtime asks for the names of a communicator that was made, where calls are watched. */
#define MAKING_STUB(symbol, n, function, to, missing)                                 \
    EXPORT int symbol(WORDS_##n) {                                                    \
        NEXT(symbol, n, missing)                                                      \
        if (left || !watch_record) return next(GIVEN_##n);                            \
        const intptr_t given[] = {GIVEN_##n};                                         \
        int answer;                                                                   \
        {                                                                             \
            WATCH(function, n, 0)                                                     \
            COMPARE(function, n, 0)                                                   \
            answer = WATCHED_ANSWER(next(GIVEN_##n));                                 \
        }                                                                             \
        if (!answer) {                                                                \
            INSIDE;                                                                   \
            runtime.made(given[to], given[0], function, __builtin_return_address(0)); \
        }                                                                             \
        return answer;                                                                \
    }
#define MAKING_STUBS(name, n, to)                                           \
    MAKING_STUB(MPI_##name, n, WATCH_##name, to, extension("PMPIX_" #name)) \
    MAKING_STUB(PMPI_##name, n, WATCH_##name, to, extension("PMPIX_" #name))
HOPBINE_MAKING_FUNCTIONS(MAKING_STUBS)

/* Starts the runtime once, whichever of MPI_Init and PMPI_Init returns first. It is loaded only
 * now, after the libraries that MPI_Init loads: see DeviceRuntime in src/mpi/state/device.hpp. */
static void begin(int64_t began, int64_t ended) {
    static int begun;
    if (begun++) return;
    presence_ask();
    pthread_once(&started, start);
    if (!runtime.begin) {
        presence_drop();
        return;
    }
    INSIDE;
    const int size = runtime.world_size();
    runtime.begin(size > 1 ? presence_find(size) : PRESENCE_ALL, threads_level(), began, ended);
    watches_waits = runtime.watches_waits();
    exact_sums = runtime.exact_sums();
    watch_begin(runtime.watch());
    watch_compares = runtime.compares();
    const char *sites = getenv("HOPBINE_SITES");
    keeps_callers = sites && !strcmp(sites, "1");
}

/* Sets `next` as NEXT does, where the runtime need not be there. */
#define OF_LIBRARY(symbol, n) \
    find_library();           \
    int (*next)(WORDS_##n) = (int (*)(WORDS_##n))found_or(#symbol, NULL, NULL);

static int init_seen;
/* What comes before the library's part is taken for as long after it: both are hopbine's. */
#define INIT(symbol, n, required, provided)                                                       \
    EXPORT int symbol(WORDS_##n) {                                                                \
        OF_LIBRARY(symbol, n)                                                                     \
        const int64_t entered = clock_now();                                                      \
        if (!init_seen) presence_publish();                                                       \
        init_seen = 1;                                                                            \
        threads_begin *const more =                                                               \
            threads_wanted() ? threads_initialiser(*(void **)&next, #symbol) : NULL;              \
        const int64_t called = clock_now();                                                       \
        const int answer = more ? threads_init(more, a, b, required, provided) : next(GIVEN_##n); \
        if (!answer) begin(entered, clock_now() - (called - entered));                            \
        return answer;                                                                            \
    }
INIT(MPI_Init, 2, 0, NULL)
INIT(PMPI_Init, 2, 0, NULL)
INIT(MPI_Init_thread, 4, (int)c, (int *)d)
INIT(PMPI_Init_thread, 4, (int)c, (int *)d)

#define QUERY(symbol)                                                                     \
    EXPORT int symbol(WORDS_1) {                                                          \
        OF_LIBRARY(symbol, 1)                                                             \
        const int answer = next(GIVEN_1);                                                 \
        if (!answer && !inside && threads_level() >= 0 && a) *(int *)a = threads_level(); \
        return answer;                                                                    \
    }
BOTH(QUERY, Query_thread)

/* A session before MPI_Init exchanges the launcher's keys at that time: no rank could rely on
 * them. */
#define SESSION(symbol)                     \
    EXPORT int symbol(WORDS_3) {            \
        int (*next)(WORDS_3);               \
        find_library();                     \
        *(void **)&next = real(#symbol);    \
        if (!next) return MPI_ERR_OTHER;    \
        if (!init_seen) presence_decline(); \
        return next(GIVEN_3);               \
    }
BOTH(SESSION, Session_init)

/* The runtime may replace the first two arguments: the command, and those of the command. */
#define SPAWN(symbol)                       \
    EXPORT int symbol(WORDS_8) {            \
        NEXT(symbol, 8, NULL)               \
        if (!left && runtime.spawn) {       \
            INSIDE;                         \
            runtime.spawn(&a, &b, d, e, f); \
        }                                   \
        return next(GIVEN_8);               \
    }
BOTH(SPAWN, Comm_spawn)

/* While the communicator is freed, callbacks that delete its attributes may call MPI. */
#define FREE(symbol)                                              \
    EXPORT int symbol(WORDS_1) {                                  \
        NEXT(symbol, 1, NULL)                                     \
        if (left || !runtime.freeing || !a) return next(GIVEN_1); \
        watch_forget((const void *)a);                            \
        runtime.freeing(a);                                       \
        const int answer = next(GIVEN_1);                         \
        runtime.freeing(0);                                       \
        return answer;                                            \
    }
BOTH(FREE, Comm_free)
BOTH(FREE, Comm_disconnect)

#define NOTED(symbol, n, note)                      \
    EXPORT int symbol(WORDS_##n) {                  \
        NEXT(symbol, n, NULL)                       \
        const int answer = next(GIVEN_##n);         \
        if (!left && !answer && watch_record) note; \
        return answer;                              \
    }
NOTED(MPI_Comm_set_name, 2, watch_rename((uint64_t)a, (const char *)b))
NOTED(PMPI_Comm_set_name, 2, watch_rename((uint64_t)a, (const char *)b))
NOTED(MPI_Op_create, 3, watch_operation_created((const void *)c, (int)b))
NOTED(PMPI_Op_create, 3, watch_operation_created((const void *)c, (int)b))

/* After MPI_Abort, which may return, the counts are of no interest. */
static void finalize_runtime(void) {
    const struct call_counts counts = tally_sum();
    if (runtime.finalize(silence_aborted() ? NULL : &counts)) silence_told();
}

#define FINALIZE(symbol)                                                                  \
    EXPORT int symbol(void) {                                                             \
        pthread_once(&started, start);                                                    \
        int (*const next)(void) = (int (*)(void))found_or(#symbol, NULL, NULL);           \
        HOPBINE_NOTE(hopbine_seen);                                                       \
        if (inside) return next();                                                        \
        const intptr_t a = watch_world();                                                 \
        WATCH(WATCH_Finalize, 1, 0)                                                       \
        COMPARE(WATCH_Finalize, 1, 0)                                                     \
        if (runtime.finalize) {                                                           \
            INSIDE;                                                                       \
            finalize_runtime();                                                           \
        }                                                                                 \
        const int answer = next();                                                        \
        if (watch_record) __atomic_store_n(&watch_record->finished, 1, __ATOMIC_RELEASE); \
        return answer;                                                                    \
    }
BOTH(FINALIZE, Finalize)

#define ABORT(symbol)            \
    EXPORT int symbol(WORDS_2) { \
        OF_LIBRARY(symbol, 2)    \
        silence_abort();         \
        return next(GIVEN_2);    \
    }
BOTH(ABORT, Abort)

/* For benchmarks that compare algorithms in one run (process.cpp and serve.cpp). */
EXPORT int hopbine_select(const char *algorithms) {
    pthread_once(&started, start);
    return runtime.select ? runtime.select(algorithms) : 1;
}
EXPORT const char *hopbine_last_served(void) {
    pthread_once(&started, start);
    return runtime.last_served ? runtime.last_served() : "mpi";
}
/* For hopbine gpu probe (src/mpi/device/library_answer.cpp). */
EXPORT const char *hopbine_gpu_record(void) {
    pthread_once(&started, start);
    return runtime.gpu_record ? runtime.gpu_record() : "";
}
/* See include/hopbine/hopbine_mpi.h. */
EXPORT int hopbine_alltoallv_init(WORDS_11) {
    pthread_once(&started, start);
    if (!runtime.prepare) {
        presence_say("hopbine_alltoallv_init: there is no runtime for this MPI library");
        return -1;
    }
    int answer;
    {
        INSIDE;
        answer = runtime.prepare(GIVEN_11);
    }
    if (answer) runtime.raise(answer);
    return answer;
}

/* A sum, where there is a runtime; else NaN, after a message. */
#define SUM(function, ...)                                                               \
    pthread_once(&started, start);                                                       \
    if (!runtime.function) {                                                             \
        presence_say("hopbine_" #function ": there is no runtime for this MPI library"); \
        return NAN;                                                                      \
    }                                                                                    \
    int error = 0;                                                                       \
    double sum;                                                                          \
    {                                                                                    \
        INSIDE;                                                                          \
        sum = runtime.function(__VA_ARGS__, &error);                                     \
    }                                                                                    \
    if (error) runtime.raise(error);                                                     \
    return sum;

/* See include/hopbine/hopbine_mpi.h. */
EXPORT double hopbine_sum(const double *x, size_t n,
                          intptr_t comm){SUM(sum_values, x, n, comm)} EXPORT
    double hopbine_dot(const double *x, const double *y, size_t n, intptr_t comm) {
    SUM(sum_products, x, y, n, comm)
}
