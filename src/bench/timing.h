/* Timing a collective: choosing who serves it, trying how long a call takes, samples in shuffled
 * order. */
#ifndef HOPBINE_BENCH_TIMING_H
#define HOPBINE_BENCH_TIMING_H
#include "collectives.h"

enum { MOST_ALGORITHMS = 1024 };

/* How an algorithm is to be sampled, found out by its trial. */
struct trial {
    const char
        *algorithm;   /* "mpi" is the library's own, "auto" what hopbine takes when nobody asks */
    int calls;        /* in a sample */
    int warm;         /* call it once before each sample: the one before was another algorithm's */
    char served[200]; /* what served it, as hopbine names it */
};

/* To be called once, by all ranks with the same seed. Samples are of `calls` calls at least.
 * Without hopbine preloaded only "mpi" can be tried. */
void timing_start(unsigned seed, int calls);
/* Calls the algorithm a few times. NULL, or why it cannot be timed; the same on all ranks. */
const char *timing_try(struct trial *t, const char *algorithm, struct work *w);
/* `repetitions` samples of each; rank 0 prints them as CSV, in whole repetitions. A sample is the
 * longest time of any rank. */
void timing_repeat(struct trial *trials, int n, int repetitions, struct work *w);
/* The header of what timing_repeat prints. */
extern const char timing_columns[];
/* Cuts a comma separated list into its words; how many, or -1 when there are more than `most`. */
int split(char *list, char **out, int most);

#endif
