/* The clock of the runtime (now() in src/mpi/state/stats.cpp), for what begins before that is
 * loaded. */
#ifndef HOPBINE_CLOCK_H
#define HOPBINE_CLOCK_H
#include <stdint.h>
#include <time.h>

/* Nanoseconds of a clock that only goes forward. */
static inline int64_t clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

#endif
