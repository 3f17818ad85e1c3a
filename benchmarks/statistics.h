/* Order of measured values. Sorted, n of them have the median at n / 2 and the quartiles at n / 4
 * and 3 * n / 4. */
#ifndef HOPBINE_BENCHMARKS_STATISTICS_H
#define HOPBINE_BENCHMARKS_STATISTICS_H

/* For qsort on doubles. */
static inline int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Measures two things n times in turns, each first in every second turn. */
static inline void in_turns(int n, double (*time)(const void *what), const void *past,
                            const void *called, double *times_past, double *times_called) {
    for (int k = 0; k < n; ++k) {
        if (k % 2) times_past[k] = time(past);
        times_called[k] = time(called);
        if (k % 2 == 0) times_past[k] = time(past);
    }
}

#endif
