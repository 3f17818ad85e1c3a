#include "algorithms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, PARAMETERS = 4, NAME = 40 };
typedef struct {
    char collective[NAME], name[NAME], parameter[PARAMETERS][NAME];
    long low[PARAMETERS], high[PARAMETERS];
    int parameters;
} Algorithm;
static Algorithm algorithms[MOST];
static int known;

int read_algorithms(const char *path) {
    FILE *f = fopen(path, "r");
    char line[600];
    if (!f) return 0;
    while (known < MOST && fgets(line, sizeof line, f)) {
        Algorithm *a = &algorithms[known];
        int at = 0, step;
        if (sscanf(line, "%39s %39s%n", a->collective, a->name, &at) != 2) continue;
        for (a->parameters = 0; a->parameters < PARAMETERS; ++a->parameters, at += step) {
            const int q = a->parameters;
            if (sscanf(line + at, "%39s %ld %ld%n", a->parameter[q], &a->low[q], &a->high[q],
                       &step) != 3)
                break;
        }
        ++known;
    }
    fclose(f);
    return known > 0;
}

static long draw_parameter(Draw *d, long low, long high, int p) {
    const long tried[] = {low, low + 1, 2, 3, 4, 5, p - 1, p, p + 1, 64, 1000, draw_below(d, 5000),
                          high};
    const long value = tried[draw_below(d, sizeof tried / sizeof *tried)];
    return value < low ? low : value > high ? high : value;
}

const char *draw_algorithms(Draw *d, int p, char *text, int bytes) {
    if (!known || one_in(d, 5)) return NULL;
    int used = 0;
    for (int first = 0, next; first < known; first = next) {
        for (next = first;
             next < known && !strcmp(algorithms[next].collective, algorithms[first].collective);)
            ++next;
        const Algorithm *a = &algorithms[first + draw_below(d, next - first)];
        used += snprintf(text + used, (size_t)(bytes - used), "%s%s=%s", first ? "," : "",
                         a->collective, a->name);
        for (int q = 0; q < a->parameters; ++q)
            if (one_in(d, 2))
                used += snprintf(text + used, (size_t)(bytes - used), ":%s=%ld", a->parameter[q],
                                 draw_parameter(d, a->low[q], a->high[q], p));
    }
    return text;
}

int promises_same_bits(const char *choice) {
    static const char *const without[] = {"allreduce=bine_small", "allreduce=swing_small",
                                          "allreduce=torus_doubling_small"};
    for (size_t i = 0; choice && i < sizeof without / sizeof *without; ++i)
        if (strstr(choice, without[i])) return 0;
    return 1;
}
