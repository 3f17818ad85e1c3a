#include "tally.h"

#include <stdlib.h>

/* Counts stay when their thread ends. */
struct entry {
    struct call_counts counts;
    struct entry *next;
};

__thread struct call_counts *hopbine_tally __attribute__((tls_model("initial-exec")));
static struct entry *first;     /* released with the entry, and acquired before it is read */
static struct call_counts lost; /* of threads without memory for their own */

struct call_counts *tally_begin(void) {
    struct entry *made = calloc(1, sizeof *made);
    if (!made) return &lost;
    made->next = __atomic_load_n(&first, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&first, &made->next, made, 1, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
    return hopbine_tally = &made->counts;
}

struct call_counts tally_sum(void) {
    struct call_counts sum = lost;
    for (struct entry *one = __atomic_load_n(&first, __ATOMIC_ACQUIRE); one; one = one->next)
        for (int kind = 0; kind < COUNT_KINDS; ++kind) {
            sum.made[kind] += __atomic_load_n(&one->counts.made[kind], __ATOMIC_RELAXED);
            sum.served[kind] += __atomic_load_n(&one->counts.served[kind], __ATOMIC_RELAXED);
        }
    return sum;
}
