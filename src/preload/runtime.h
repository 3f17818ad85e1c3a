/* The runtime for the program's MPI library: its functions, found when it is opened. */
#ifndef HOPBINE_RUNTIME_H
#define HOPBINE_RUNTIME_H
#include <stddef.h>
#include <stdint.h>

#include "call_counts.h"
#include "functions.h"
#include "words.h"

struct watch_record;
struct watch_call;

/* Table of the functions that are not for one MPI function: name without hopbine_, result and
 * parameters. */
#define HOPBINE_RUNTIME_FUNCTIONS(X)                                       \
    X(passed, void, (int))                                                 \
    X(raise, void, (int))                                                  \
    X(begin, void, (int, int, int64_t, int64_t))                           \
    X(world_size, int, (void))                                             \
    X(spawn, void, (intptr_t *, intptr_t *, intptr_t, intptr_t, intptr_t)) \
    X(freeing, void, (intptr_t))                                           \
    X(select, int, (const char *))                                         \
    X(last_served, const char *, (void))                                   \
    X(finalize, int, (const struct call_counts *))                         \
    X(has_requests, int, (void))                                           \
    X(watches_waits, int, (void))                                          \
    X(library_loaded, void, (void))                                        \
    X(gpu_record, const char *, (void))                                    \
    X(exact_sums, int, (void))                                             \
    X(watch, struct watch_record *, (void))                                \
    X(made, void, (intptr_t, intptr_t, int, void *))                       \
    X(compares, int, (void))                                               \
    X(compare, void, (const struct watch_call *, int))                     \
    X(compared_failed, void, (void))                                       \
    X(has_happened, int, (int))                                            \
    X(prepare, int, (WORDS_11))                                            \
    X(sum_values, double, (const double *, size_t, intptr_t, int *))       \
    X(sum_products, double, (const double *, const double *, size_t, intptr_t, int *))

/* Null: the runtime has not been opened. Two macros, so that the number of words is made before it
 * is used. */
#define RUNTIME_BOTH(name, n) RUNTIME_BOTH_OF(name, n)
#define RUNTIME_BOTH_OF(name, n) int (*name)(WORDS_##n), (*name##_c)(WORDS_##n);
#define RUNTIME_FORMS(name, iname, n, m, ...) \
    RUNTIME_BOTH(name, n) RUNTIME_BOTH(iname, m) RUNTIME_BOTH(name##_init, ONE_MORE_##m)
#define RUNTIME_PLAIN(name, n, ...) int (*name)(WORDS_##n);
#define RUNTIME_OWN(name, result, parameters) result(*name) parameters;
struct runtime {
    size_t size; /* of this table: one of another size is another version's */
    HOPBINE_ALL_FUNCTIONS(RUNTIME_FORMS)
    HOPBINE_PLAIN_FUNCTIONS(RUNTIME_PLAIN)
    HOPBINE_REQUEST_FUNCTIONS(RUNTIME_PLAIN)
    HOPBINE_WAIT_FUNCTIONS(RUNTIME_PLAIN)
    HOPBINE_ACCUMULATE_FUNCTIONS(RUNTIME_PLAIN)
    HOPBINE_RUNTIME_FUNCTIONS(RUNTIME_OWN)
};
/* The runtime's own (src/mpi/entry/functions.c). */
extern const struct runtime hopbine_functions;
/* Hidden: found without a look into the table of global symbols. */
extern struct runtime runtime __attribute__((visibility("hidden")));

/* Opens the runtime built for the MPI library's family, after find_library(). Says why there is
 * none. */
void runtime_open(void);

#endif
