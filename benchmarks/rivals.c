/* Algorithms of an MPI library, forced one by one, and hopbine's, in turns within one job.
 *
 *   rivals list WORD...   names the library's control variables (MPI_T) that have a word in their
 *                         name, with their values, and the library's file
 *   rivals FILE           measures what FILE says
 *
 * FILE has lines
 *   cell COLLECTIVE BYTES SECONDS ROUNDS       the time and the most rounds that the cell may take
 *   arm LABEL hopbine NAME                     of the cell above; NAME: auto, or an algorithm
 *   arm LABEL library [VARIABLE=INTEGER]...    the library's functions past hopbine, on a
 *                                              communicator made while the variables have the
 * values
 *
 * Cells of a collective come in ascending order of bytes. A cell begins with the calls in which
 * hopbine learns. Every arm is then tried. Those of a kind
 * (hopbine, library) that are far slower than its best are not measured again; the others take
 * turns in newly shuffled order. Rank 0 prints begin LABEL                            before an
 * arm's first call refused LABEL WHY sample LABEL ROUND CALLS SECONDS       round 0: the trial; of
 * a call learned CALLS SERVED_BY                calls of hopbine's choice before it was measured,
 * and what served its last one done COLLECTIVE BYTES
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/bench/collectives.h"
#include "control_variables.h"
#include "past_preload.h"
#include "statistics.h"

enum { MOST_ARMS = 128, MOST_VARIABLES = 8, LINE = 4096, LEARNING = 220 };
enum { MOST_CALLS = 200, LEAST_ROUNDS = 3 };
static const double SAMPLE_SECONDS = 1e-2; /* a sample lasts about this long at least */
static const double LONG_CALL = 20e-3;     /* longer calls are tried once */
static const double CLOSE = 1.5;           /* times the best of its kind: measured in rounds */
static const double LEARNING_SECONDS = 12;
static const double FAR =
    4; /* times the best of its kind, by long calls: not tried at more bytes */

struct arm {
    char label[80], algorithm[80];
    int by_library, variables, read_in_call, calls, close;
    struct variable variable[MOST_VARIABLES];
    MPI_Comm comm;
    double once;
};

static struct work_functions library;
static __typeof__(&PMPI_Comm_dup) library_dup;
static __typeof__(&PMPI_Sendrecv) library_sendrecv;
static __typeof__(&PMPI_Allreduce) library_allreduce;
static int (*select_algorithm)(const char *);
static const char *(*last_served)(void);
static struct hopeless {
    char collective[32], label[80];
} hopeless[MOST_ARMS]; /* arms far slower than the best of their kind at fewer bytes */
static MPI_Comm apart; /* for what is not measured */
static int rank, data_round, learned, hopeless_arms;
static char auto_served[100]; /* what served hopbine's choice last */
static unsigned random_state = 1;

#define SAY(...) (rank == 0 ? (printf(__VA_ARGS__), putchar('\n'), fflush(stdout)) : 0)

static int is_auto(const struct arm *a) { return !a->by_library && !strcmp(a->algorithm, "auto"); }

static double agreed(double mine, MPI_Op op) {
    double all;
    library_allreduce(&mine, &all, 1, MPI_DOUBLE, op, apart);
    return all;
}

static void find_library(void) {
#define OF_LIBRARY(name) *(void **)&library.name = past_preload("PMPI_" #name);
    WORK_FUNCTIONS(OF_LIBRARY)
    *(void **)&library_dup = past_preload("PMPI_Comm_dup");
    *(void **)&library_sendrecv = past_preload("PMPI_Sendrecv");
    library_dup(MPI_COMM_WORLD, &apart);
    *(void **)&library_allreduce = past_preload("PMPI_Allreduce");
    *(void **)&select_algorithm = dlsym(RTLD_DEFAULT, "hopbine_select");
    *(void **)&last_served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
}

static void force(const struct arm *a, int on) {
    for (int i = 0; i < a->variables; ++i) variable_set(&a->variable[i], on);
}

/* Adds VARIABLE=INTEGER to an arm. NULL, or why it cannot. */
static const char *add_variable(struct arm *a, char *word) {
    if (a->variables == MOST_VARIABLES) return "it has too many variables";
    a->read_in_call |= !strncmp(word, "MPIR_", 5);
    const char *why = variable_open(&a->variable[a->variables], word);
    a->variables += !why;
    return why;
}

/* Makes the communicator of a library's arm. Open MPI reads the variables then, MPICH in the call;
 * what MPICH does to make a communicator must not be forced. */
static void open_arm(struct arm *a) {
    a->comm = MPI_COMM_WORLD;
    if (!a->by_library) return;
    if (!a->read_in_call) force(a, 1);
    library_dup(MPI_COMM_WORLD, &a->comm);
    MPI_Comm_set_errhandler(a->comm, MPI_ERRORS_RETURN);
    if (!a->read_in_call) force(a, 0);
}

static void close_arm(struct arm *a) {
    if (a->by_library && a->comm != MPI_COMM_WORLD) PMPI_Comm_free(&a->comm);
    for (int i = 0; i < a->variables; ++i) MPI_T_cvar_handle_free(&a->variable[i].handle);
}

/* All ranks are on one machine and share this clock. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A dissemination barrier, the same whatever is forced: how ranks leave it decides when they begin.
 */
static void meet(void) {
    int ranks;
    MPI_Comm_size(apart, &ranks);
    for (int far = 1; far < ranks; far *= 2)
        library_sendrecv(NULL, 0, MPI_BYTE, (rank + far) % ranks, 0, NULL, 0, MPI_BYTE,
                         (rank + ranks - far) % ranks, 0, apart, MPI_STATUS_IGNORE);
}

/* Calls the collective `calls` times, each after a barrier. Fills `seconds`: the median from the
 * first rank's begin to the last one's end. Returns MPI's error code. */
static int call_often(const struct arm *a, struct work *w, int calls, double *seconds) {
    static double begin[MOST_CALLS], end[MOST_CALLS], first[MOST_CALLS], last[MOST_CALLS];
    int failed = 0;
    if (a->by_library) force(a, 1);
    for (int i = 0; i < calls; ++i) {
        meet();
        begin[i] = now();
        if (!failed) failed = work_call_by(a->by_library ? &library : &work_as_called, w, a->comm);
        end[i] = now();
    }
    if (a->by_library) force(a, 0);
    library_allreduce(begin, first, calls, MPI_DOUBLE, MPI_MIN, apart);
    library_allreduce(end, last, calls, MPI_DOUBLE, MPI_MAX, apart);
    for (int i = 0; i < calls; ++i) last[i] -= first[i];
    qsort(last, (size_t)calls, sizeof *last, ascending);
    *seconds = last[calls / 2];
    return failed;
}

/* Selects hopbine's algorithm where another is selected: hopbine then prepares its calls anew. */
static int select_once(const struct arm *a, const char *collective) {
    static char selected[200];
    char spec[200];
    snprintf(spec, sizeof spec, "%s=%s", collective, a->algorithm);
    if (!strcmp(spec, selected)) return 0;
    const int failed = select_algorithm(strcmp(a->algorithm, "auto") ? spec : NULL);
    if (!failed) strcpy(selected, spec);
    return failed;
}

/* Seconds of a call; negative where it failed (`why` says how). */
static double sample(struct arm *a, struct work *w, int calls, const char **why) {
    static char what[200];
    char message[MPI_MAX_ERROR_STRING] = "";
    double seconds;
    int length;
    if (!a->by_library && select_once(a, w->collective)) {
        *why = "hopbine cannot select it";
        return -1;
    }
    work_fill(w, ++data_round);
    const int failed = call_often(a, w, calls, &seconds);
    const char *const served = last_served && !a->by_library ? last_served() : "";
    if (is_auto(a)) snprintf(auto_served, sizeof auto_served, "%s", served);
    if (failed) MPI_Error_string(failed, message, &length);
    message[strcspn(message, ",\n")] = 0; /* MPICH adds where in its code, and addresses */
    const int wrong = !failed && !work_right(w, data_round);
    const size_t name = strcspn(a->algorithm, ":");
    if (agreed(failed, MPI_MAX) != 0)
        snprintf(what, sizeof what, "error %.150s", message), *why = what;
    else if (agreed(wrong, MPI_MAX) != 0)
        *why = "its result is wrong";
    else if (!a->by_library && !is_auto(a) && strncmp(served, a->algorithm, name))
        snprintf(what, sizeof what, "%.150s served", served), *why = what;
    return *why ? -1 : seconds;
}

static void learn(struct arm *a, struct work *w, double seconds) {
    const char *why = NULL;
    const double once = sample(a, w, 2, &why);
    const double affordable = agreed(seconds / (once > 0 ? once : seconds), MPI_MIN);
    const int calls = affordable < LEARNING ? (int)affordable : LEARNING;
    for (int done = 0; done < calls && !why; done += MOST_CALLS)
        sample(a, w, calls - done < MOST_CALLS ? calls - done : MOST_CALLS, &why);
    learned = calls + 2;
}

/* Calls the arm a few times. False where it is refused. */
static int try_arm(struct arm *a, struct work *w) {
    const char *why = NULL;
    SAY("begin %s", a->label);
    a->once = sample(a, w, 1, &why);
    for (int calls = 2; !why && a->once < LONG_CALL && calls <= 5; calls += 3) {
        const double again = sample(a, w, calls, &why);
        if (again < a->once) a->once = again;
    }
    if (why) {
        SAY("refused %s %s", a->label, why);
        return 0;
    }
    const double want = SAMPLE_SECONDS / a->once;
    a->calls = want < 1 ? 1 : want > MOST_CALLS ? MOST_CALLS : (int)want;
    SAY("sample %s 0 1 %.9g", a->label, a->once);
    return 1;
}

static int is_hopeless(const struct arm *a, const char *collective) {
    for (int i = 0; i < hopeless_arms; ++i)
        if (!strcmp(hopeless[i].label, a->label) && !strcmp(hopeless[i].collective, collective))
            return 1;
    return 0;
}

/* Remembers the arms that need not be tried at more bytes. */
static void remember_hopeless(const struct arm *arms, int n, const double *best,
                              const char *collective) {
    for (int i = 0; i < n && hopeless_arms < MOST_ARMS; ++i) {
        const struct arm *a = &arms[i];
        if ((a->by_library && !a->variables) || a->once < LONG_CALL ||
            a->once < FAR * best[a->by_library])
            continue;
        struct hopeless *h = &hopeless[hopeless_arms++];
        snprintf(h->collective, sizeof h->collective, "%.31s", collective);
        memcpy(h->label, a->label, sizeof h->label);
    }
}

/* Marks the arms worth measuring: hopbine's choice, the library's, and those close to the best of
 * their kind. Returns the seconds of a round. */
static double choose_close(struct arm *arms, int n, const char *collective) {
    double best[2] = {1e30, 1e30}, round = 0;
    for (int i = 0; i < n; ++i)
        if (arms[i].once < best[arms[i].by_library]) best[arms[i].by_library] = arms[i].once;
    for (int i = 0; i < n; ++i) {
        struct arm *a = &arms[i];
        a->close = is_auto(a) || (a->by_library && !a->variables) ||
                   a->once <= CLOSE * best[a->by_library];
        if (a->close) round += a->once * (a->calls + (a->once < LONG_CALL));
    }
    remember_hopeless(arms, n, best, collective);
    return round;
}

static void repeat(struct arm *arms, int n, int rounds, struct work *w) {
    struct arm *turn[MOST_ARMS];
    int close = 0;
    for (int i = 0; i < n; ++i)
        if (arms[i].close) turn[close++] = &arms[i];
    for (int round = 1; round <= rounds; ++round) {
        for (int i = close - 1; i > 0; --i) {
            random_state = random_state * 1664525u + 1013904223u;
            const int k = (int)((random_state >> 8) % (unsigned)(i + 1));
            struct arm *const keep = turn[i];
            turn[i] = turn[k], turn[k] = keep;
        }
        for (int i = 0; i < close; ++i) {
            struct arm *const a = turn[i];
            const char *why = NULL;
            if (a->once < LONG_CALL) sample(a, w, 1, &why);
            const double took = sample(a, w, a->calls, &why);
            if (why)
                SAY("refused %s %s", a->label, why);
            else
                SAY("sample %s %d %d %.9g", a->label, round, a->calls, took);
        }
    }
}

static void measure(const char *collective, const char *bytes, double seconds, int most,
                    struct arm *arms, int n) {
    struct work w;
    int fit = 0;
    const char *why = work_open(&w, collective, bytes, FLOAT32, SAME_COUNTS, 0, MPI_COMM_WORLD);
    if (why) {
        SAY("refused %s %s", collective, why);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const double begin = now();
    for (int i = 0; i < n; ++i) {
        if (is_hopeless(&arms[i], collective)) {
            SAY("refused %s far slower than the best at fewer bytes", arms[i].label);
            continue;
        }
        open_arm(&arms[i]);
        if (is_auto(&arms[i])) learn(&arms[i], &w, LEARNING_SECONDS);
        if (try_arm(&arms[i], &w))
            arms[fit++] = arms[i];
        else
            close_arm(&arms[i]);
    }
    const double round = agreed(choose_close(arms, fit, collective), MPI_MAX),
                 left = agreed(seconds - (now() - begin), MPI_MIN);
    int rounds = left > 0 ? (int)(left / round) : 0;
    rounds = rounds < LEAST_ROUNDS ? LEAST_ROUNDS : rounds > most ? most : rounds;
    repeat(arms, fit, rounds, &w);
    for (int i = 0; i < fit; ++i) close_arm(&arms[i]);
    if (learned) SAY("learned %d %s", learned, auto_served);
    learned = 0;
    SAY("done %s %s", collective, bytes);
    work_close(&w);
}

/* Reads an arm. False where it cannot be measured here. */
static int read_arm(struct arm *a, char *line) {
    char kind[16] = "";
    int at = 0;
    const char *why = NULL;
    memset(a, 0, sizeof *a);
    if (sscanf(line, "arm %79s %15s %n", a->label, kind, &at) < 2) return 0;
    a->by_library = !strcmp(kind, "library");
    if (!a->by_library) snprintf(a->algorithm, sizeof a->algorithm, "%.79s", line + at);
    if (!a->by_library && !select_algorithm) why = "hopbine is not preloaded";
    for (char *word = strtok(line + at, " "); a->by_library && word && !why;
         word = strtok(NULL, " "))
        why = add_variable(a, word);
    if (why) SAY("refused %s %s", a->label, why);
    return !why;
}

static int run_file(const char *path) {
    static struct arm arms[MOST_ARMS];
    char line[LINE], collective[32] = "", bytes[32];
    double seconds = 0;
    int n = 0, rounds = 0, more;
    FILE *const f = fopen(path, "r");
    if (!f) return fprintf(stderr, "rivals: cannot read %s\n", path), 2;
    do {
        more = fgets(line, sizeof line, f) != NULL;
        line[strcspn(line, "\n")] = 0;
        if (more && n < MOST_ARMS && !strncmp(line, "arm ", 4)) n += read_arm(&arms[n], line);
        if (more && strncmp(line, "cell ", 5)) continue;
        if (*collective) measure(collective, bytes, seconds, rounds, arms, n);
        n = 0;
        if (more &&
            sscanf(line, "cell %31s %31s %lf %d", collective, bytes, &seconds, &rounds) != 4)
            more = 0;
    } while (more);
    fclose(f);
    return 0;
}

int main(int argc, char **argv) {
    int provided, failed = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    find_library();
    if (argc > 2 && !strcmp(argv[1], "list"))
        variables_list(rank, argc - 2, argv + 2);
    else
        failed = argc == 2 ? run_file(argv[1]) : 2;
    MPI_T_finalize(); /* before MPI_Finalize: Open MPI 4.1 crashes after it */
    MPI_Finalize();
    return failed;
}
