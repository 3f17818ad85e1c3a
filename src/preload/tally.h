/* Counts the collective calls of each thread: an addition in memory of its own for each call. */
#ifndef HOPBINE_TALLY_H
#define HOPBINE_TALLY_H
#include <stddef.h>

#include "call_counts.h"

extern __thread struct call_counts *hopbine_tally __attribute__((tls_model("initial-exec")));
/* Makes this thread's counts. */
struct call_counts *tally_begin(void);
/* The sum over all threads, those that have ended too. */
struct call_counts tally_sum(void);

/* Only the thread itself writes; another may add up at the same time, to a sum of some moment. */
static inline void tally_add(long long *count) {
    __atomic_store_n(count, *count + 1, __ATOMIC_RELAXED);
}
static inline struct call_counts *tally_of_thread(void) {
    return __builtin_expect(hopbine_tally != NULL, 1) ? hopbine_tally : tally_begin();
}
/* `kind` is a constant: other functions than collectives count nothing. */
static inline void tally_made(int kind) {
    if (kind != COUNT_NOT) tally_add(&tally_of_thread()->made[kind]);
}
static inline void tally_served(int kind) {
    if (kind != COUNT_NOT) tally_add(&tally_of_thread()->served[kind]);
}

#endif
