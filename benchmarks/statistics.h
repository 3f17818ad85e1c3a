/* Order of measured values. Sorted, n of them have the median at n / 2 and the quartiles at n / 4
 * and 3 * n / 4. */
#ifndef HOPBINE_BENCHMARKS_STATISTICS_H
#define HOPBINE_BENCHMARKS_STATISTICS_H

/* For qsort on doubles. */
static inline int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

#endif
