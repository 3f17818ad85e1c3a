/* Draws collective calls from a seed and compares their results with what MPI defines.
 *
 *   attack [--seed S] [--cases N] [--case K | --first K] [--algorithms FILE]
 *          [--patience SECONDS] [--tame 0|1] [--choose 0|1] [--programs 0|1 [--keep BITS]]
 *
 * - --tame 1 leaves out calls that crash or hang an MPI library by itself (docs/library-faults.md).
 * - --choose 0 leaves the choice of the algorithms to hopbine.
 * - --programs 1 draws programs instead of single calls: each has several calls, also nonblocking
 * and persistent ones, under way together (program.c). --keep leaves out operations of a program
 * that fails: a string of bits, the last for operation 0.
 * - Every rank computes the results alone: no MPI library is taken for correct.
 * - Each call is made as a program makes it (through hopbine's preload where that is loaded) and by
 *   the MPI library itself. A wrong result of hopbine's is a difference. One of the MPI library's
 *   is counted apart; without hopbine it is a difference. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithms.h"
#include "around.h"
#include "barriers.h"
#include "calls.h"
#include "program.h"
#include "test_comms.h"

static int thread_multiple, patience = 100, programs, chooses = 1;
static char spec[1600];

/* A wrong result of a served call: hopbine's, unless the MPI library has the same one. */
typedef struct {
    char *bytes, what[400], by[100];
} Suspect;

/* Makes one call; `own`: by the MPI library itself. */
static void call_once(const Task *k, Case *c, int own, Suspect *suspect) {
    Memory send, recv;
    Arguments a;
    char text[300];
    fill_buffers(c, &send, &recv);
    arguments_of(c, &send, &recv, &a);
    const int error = own ? call_library(c, &a) : call_first(c, &a);
    const int served = !own && last_served && strcmp(last_served(), "mpi") != 0;
    char by[100];
    snprintf(by, sizeof by, "%s", served ? last_served() : "the MPI library");
    const char *wrong = check_buffers(c, &send, &recv);
    if (error) {
        char said[MPI_MAX_ERROR_STRING];
        int length;
        MPI_Error_string(error, said, &length);
        snprintf(text, sizeof text, "returned: %.200s", said);
        wrong = text;
    }
    if (served) count(&served_calls, 1);
    if (is_rounded(c) && served && promises_same_bits(k->choice) &&
        !same_everywhere(c->on, hash_result(c, &recv)))
        wrong = "not the same bits on all ranks";
    /* The library packs and unpacks for hopbine too: where it fails by itself, the fault is its
     * own. It is counted below. */
    if (own && wrong && suspect->bytes) free(suspect->bytes), suspect->bytes = NULL;
    if (wrong && served && suspect->bytes) {
        /* The first of the repeated calls has been reported. */
    } else if (wrong && served) {
        suspect->bytes = malloc(recv.bytes);
        memcpy(suspect->bytes, recv.all, recv.bytes);
        snprintf(suspect->what, sizeof suspect->what, "%s", wrong);
        snprintf(suspect->by, sizeof suspect->by, "%s", by);
    } else if (wrong) {
        tell(k, c->text, by, wrong, !last_served);
        count(last_served ? &faults_of_library : &differences, 1);
    }
    free_arguments(c, &a);
    free_memory(&send);
    free_memory(&recv);
}

static void *run_in_thread(void *given) {
    const Task *k = given;
    const TestComm *mine = thread_comms[k->in_thread - 1];
    run_program(k, mine, THREAD_COMMS, mine);
    return NULL;
}

static void *run_task(void *given) {
    const Task *k = given;
    Case c;
    Around around;
    Suspect suspect = {0};
    Draw d = {key_of(k->key, 91)};
    if (left_out(k->on, k->function)) return NULL;
    draw_case(&c, k->on, k->key, (uint64_t)rank, k->function);
    snprintf(now_running[k->in_thread], sizeof now_running[0],
             "--seed %llu --case %ld -n %d rank %d: %s\n  algorithms: %s\n",
             (unsigned long long)seed, k->number, ranks, rank, c.text,
             k->choice ? k->choice : "hopbine's own choice");
    begin_around(&around, k->on, &d);
    if (one_in(&d, 4)) MPI_Barrier(k->on->comm);
    for (int i = 0; i < k->repeats; ++i) call_once(k, &c, 0, &suspect);
    const char *wrong = end_around(&around);
    if (wrong) tell(k, c.text, "around the call", wrong, 1), count(&differences, 1);
    if (select_algorithms && !quiet_library(&c)) call_once(k, &c, 1, &suspect);
    if (suspect.bytes) tell(k, c.text, suspect.by, suspect.what, 1), count(&differences, 1);
    free(suspect.bytes);
    now_running[k->in_thread][0] = 0;
    end_case(&c);
    return NULL;
}

static void run_threads(uint64_t key, long number, const char *choice, Draw *d) {
    pthread_t threads[THREADS];
    Task tasks[THREADS];
    for (int t = 0; t < THREADS; ++t) {
        const TestComm *w = &thread_comms[t][draw_below(d, THREAD_COMMS)];
        tasks[t] = (Task){w,      key_of(key, (uint64_t)(t + 100)),    number,
                          choice, (int)draw_below(d, functions_known), 1 + (int)draw_below(d, 3),
                          t + 1};
        pthread_create(&threads[t], NULL, programs ? run_in_thread : run_task, &tasks[t]);
    }
    for (int t = 0; t < THREADS; ++t) pthread_join(threads[t], NULL);
}

static void run_case(long number) {
    const uint64_t key = key_of(key_of(0, seed), (uint64_t)number);
    Draw d = {key_of(key, 1)};
    alarm((unsigned)patience);
    const char *choice = chooses ? draw_algorithms(&d, ranks, spec, sizeof spec) : NULL;
    if (select_algorithms && select_algorithms(choice)) {
        fprintf(stderr, "attack: hopbine refuses %s\n", choice);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (one_in(&d, 12) && thread_multiple) {
        run_threads(key, number, choice, &d);
        return;
    }
    if (programs) {
        run_program(&(Task){.key = key, .number = number, .choice = choice}, test_comms,
                    test_comms_known, &test_comms[0]);
        return;
    }
    const TestComm *w = &test_comms[draw_below(&d, test_comms_known)];
    Task task = {
        w, key, number, choice, (int)draw_below(&d, functions_known), 1 + (int)draw_below(&d, 3),
        0};
    const int fresh = one_in(&d, 15);
    if (w->comm == MPI_COMM_NULL) return;
    TestComm made;
    if (fresh) made = new_test_comm(w, &d), task.on = &made;
    run_task(&task);
    if (fresh) free_test_comm(&made);
}

static void read_options(int argc, char **argv, long *first, long *cases) {
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (!strcmp(argv[i], "--seed"))
            seed = strtoull(value, NULL, 10);
        else if (!strcmp(argv[i], "--cases"))
            *cases = atol(value);
        else if (!strcmp(argv[i], "--first"))
            *first = atol(value);
        else if (!strcmp(argv[i], "--case"))
            *first = atol(value), *cases = 1;
        else if (!strcmp(argv[i], "--patience"))
            patience = atoi(value);
        else if (!strcmp(argv[i], "--tame"))
            tame = atoi(value);
        else if (!strcmp(argv[i], "--programs"))
            programs = atoi(value);
        else if (!strcmp(argv[i], "--choose"))
            chooses = atoi(value);
        else if (!strcmp(argv[i], "--keep"))
            kept_operations = (unsigned)strtoul(value, NULL, 2);
        else if (strcmp(argv[i], "--algorithms") || !read_algorithms(value)) {
            fprintf(stderr, "attack: %s %s is not understood\n", argv[i], value);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
}

/* The forms that the MPI library has not. */
static void say_what_is_left_out(void) {
    for (int f = 0; f <= functions_known; ++f)
        for (Form form = NONBLOCKING; form < FORMS; ++form)
            if (!has_form(f, form))
                printf("left out: MPI_%s%s, which the MPI library has not\n", name_of(f, form),
                       form == PERSISTENT ? "_init" : "");
}

static void say_forms(void) {
    long mine[] = {operations_of_form[BLOCKING], operations_of_form[NONBLOCKING],
                   operations_of_form[PERSISTENT], left_to_mpich},
         all[4];
    MPI_Reduce(mine, all, 4, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank) return;
    printf("programs: %ld blocking, %ld nonblocking, %ld persistent\n", all[0], all[1], all[2]);
    if (all[3]) printf("left out: the starts of %ld persistent requests of MPICH's own\n", all[3]);
}

int main(int argc, char **argv) {
    int provided;
    long first = 0, cases = 100;
    const int signals[] = {SIGALRM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    thread_multiple = provided == MPI_THREAD_MULTIPLE;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) signal(signals[i], tell_and_die);
    read_options(argc, argv, &first, &cases);
    find_library();
    find_out_family();
    make_kinds();
    make_user_operations();
    make_test_comms();
    make_barriers();
    if (programs && !rank) say_what_is_left_out();
    for (long k = first; k < first + cases; ++k) run_case(k);
    if (select_algorithms) select_algorithms(NULL);
    alarm((unsigned)patience);
    long mine[3] = {served_calls, differences, faults_of_library}, all[3];
    MPI_Reduce(mine, all, 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld cases, %ld served calls, %ld differences, %ld faults of the MPI library\n",
               cases, all[0], all[1], all[2]);
    if (programs) say_forms();
    free_barriers();
    free_test_comms();
    free_user_operations();
    MPI_Finalize();
    return differences > 0;
}
