#define _GNU_SOURCE
#include "serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "patience.h"
#include "probe.h"
#include "timing.h"

enum { LINE = 1 << 16, PLACE = MPI_MAX_PROCESSOR_NAME + 300 };

/* Prints a line on rank 0 only, and flushes it. */
#define SAY(...)                      \
    do {                              \
        if (rank == 0) {              \
            printf("# " __VA_ARGS__); \
            putchar('\n');            \
            fflush(stdout);           \
        }                             \
    } while (0)

static void introduce(int rank, int ranks) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "", mine[PLACE] = "",
         name[MPI_MAX_PROCESSOR_NAME];
    int length;
    PMPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = 0;
    SAY("library %s", version);
    MPI_Get_processor_name(name, &length);
    const char *node = getenv("HOPBINE_NODE"), *group = getenv("HOPBINE_GROUP");
    snprintf(mine, sizeof mine, "%.*s %.200s", MPI_MAX_PROCESSOR_NAME, node && *node ? node : name,
             group && *group ? group : "-");
    char *all = rank == 0 ? malloc((size_t)ranks * PLACE) : NULL;
    PMPI_Gather(mine, PLACE, MPI_CHAR, all, PLACE, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < ranks; ++r) SAY("place %d %s", r, all + (size_t)r * PLACE);
    free(all);
    SAY("ready");
}

/* Broadcasts rank 0's next line; 0 at the end of the input. hopbine never serves nonblocking calls:
 * a faulty candidate cannot damage a request. */
static int next_request(char *line, int rank) {
    int length = 0;
    MPI_Request pending;
    if (rank == 0 && fgets(line, LINE, stdin)) length = (int)strcspn(line, "\n") + 1;
    PMPI_Ibcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD, &pending);
    wait_patiently(&pending);
    if (!length) return 0;
    if (rank == 0) line[length - 1] = 0;
    PMPI_Ibcast(line, length, MPI_CHAR, 0, MPI_COMM_WORLD, &pending);
    wait_patiently(&pending);
    return 1;
}

static void time_collective(char *collective, const char *size, int repetitions, char *list,
                            int root, enum element element, int rank) {
    static struct trial trials[MOST_ALGORITHMS];
    char *algorithms[MOST_ALGORITHMS];
    struct work w;
    int n = split(list, algorithms, MOST_ALGORITHMS), fit = 0;
    if (n < 0) {
        SAY("error more than %d algorithms in a request", MOST_ALGORITHMS);
        return;
    }
    const char *why_not =
        work_open(&w, collective, size, element, NEW_COUNTS, root, MPI_COMM_WORLD);
    int ok = !why_not, all = 0;
    PMPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all) {
        SAY("error cannot set up %s of %s: %s", collective, size,
            why_not ? why_not : "another rank has no memory");
        if (ok) work_close(&w);
        return;
    }
    SAY("bytes %zu", w.vector);
    for (int a = 0; a < n && repetitions > 0; ++a) {
        SAY("trying %s", algorithms[a]);
        const char *why = timing_try(&trials[fit], algorithms[a], &w);
        if (why) {
            SAY("refused %s %s", algorithms[a], why);
            continue;
        }
        SAY("served %s %s", algorithms[a], trials[fit].served);
        ++fit;
    }
    /* All samples have as many calls as the baseline's, which comes first: an interruption weighs
     * less in the mean of many calls than in that of a few. */
    for (int a = 1; a < fit; ++a) trials[a].calls = trials[0].calls;
    timing_repeat(trials, fit, repetitions, &w);
    work_close(&w);
    SAY("done");
}

void serve(int root, enum element element) {
    static char line[LINE], list[LINE], collective[64], size[100];
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    introduce(rank, ranks);
    while (next_request(line, rank)) {
        int repetitions;
        if (!strcmp(line, "end"))
            break; /* Open MPI 5's launcher does not pass on the end of its input */
        if (!strcmp(line, "probe")) {
            struct probe p = probe();
            SAY("probe %.6g %.6g %.6g %.6g", p.alpha, p.beta, p.gamma, p.overhead);
            SAY("done");
        } else if (sscanf(line, "time %63s %99s %d %65535s", collective, size, &repetitions,
                          list) == 4) {
            time_collective(collective, size, repetitions, list, root, element, rank);
        } else {
            SAY("error '%.60s' is not a request", line);
        }
    }
}
