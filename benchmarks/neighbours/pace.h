/* Waits for times of the real clock, which all jobs of one machine share. */
#ifndef PACE_H
#define PACE_H
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void wait_until(double when) {
    const struct timespec at = {(time_t)when, (long)(1e9 * (when - (double)(time_t)when))};
    while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL)) continue;
}

/* A positive number of the command line; ends the program where it is none. */
static inline double positive(const char *name, const char *text) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value > 0)) {
        fprintf(stderr, "%s is '%s'; allowed: a number above 0\n", name, text);
        exit(2);
    }
    return value;
}
#endif
