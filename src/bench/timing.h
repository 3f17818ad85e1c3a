/* Times a collective: selects what serves it, tries how long a call takes, samples in shuffled
 * order. */
#ifndef HOPBINE_BENCH_TIMING_H
#define HOPBINE_BENCH_TIMING_H
#include "collectives.h"

enum { MOST_ALGORITHMS = 1024 };

/* How an algorithm is sampled, as its trial has found. */
struct trial {
    const char *algorithm; /* "mpi": the MPI library's own; "auto": hopbine's choice */
    int calls;             /* per sample */
    int warm; /* call it once before each sample: the sample before was another algorithm's */
    char served[200]; /* what served it, by hopbine's name */
};

/* Called once, by all ranks with the same seed. A sample has at least `calls` calls. Without
 * hopbine preloaded only "mpi" can be tried. */
void timing_start(unsigned seed, int calls);
/* Calls the algorithm a few times. NULL, or why it cannot be timed. The same on all ranks. */
const char *timing_try(struct trial *t, const char *algorithm, struct work *w);
/* Takes `repetitions` samples of each. Rank 0 prints them as CSV, in whole repetitions. A sample is
 * the longest time of any rank. */
void timing_repeat(struct trial *trials, int n, int repetitions, struct work *w);
/* CSV header of the output of timing_repeat. */
extern const char timing_columns[];
/* Splits a comma-separated list. Returns the number of words, or -1 when there are more than
 * `most`. */
int split(char *list, char **out, int most);

#endif
