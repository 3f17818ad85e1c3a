/* Prints what a rank sends and receives in an algorithm, by hopbine's C API, which needs no MPI.
 *
 *   cc $(pkg-config --cflags hopbine) examples/schedule.c $(pkg-config --libs hopbine) -o schedule
 *   ./schedule allreduce bine_large 8 3      # rank 3 of 8
 */
#include <hopbine/hopbine.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(void) {
    fprintf(stderr, "schedule: %s\n", hopbine_last_error());
    return 2;
}

static void print(int step, const hopbine_move *m) {
    printf("step %d: %s %d, blocks", step,
           m->sends     ? "send to"
           : m->reduces ? "reduce from"
                        : "receive from",
           m->peer);
    for (size_t i = 0; i < m->n_runs; ++i)
        printf(" %lld-%lld", (long long)m->runs[2 * i], (long long)m->runs[2 * i + 1] - 1);
    printf("\n");
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: schedule COLLECTIVE ALGORITHM RANKS RANK\n");
        return 2;
    }
    const int p = atoi(argv[3]), rank = atoi(argv[4]);
    hopbine_schedule *schedule;
    /* The root is 0, and parameters have their defaults. */
    if (hopbine_schedule_create(argv[1], argv[2], p, 0, NULL, 0, &schedule)) return failed();
    for (int step = 0; step < hopbine_schedule_steps(schedule); ++step) {
        const hopbine_move *moves;
        size_t n;
        if (hopbine_schedule_moves(schedule, rank, step, &moves, &n)) return failed();
        for (size_t i = 0; i < n; ++i) print(step, &moves[i]);
    }
    hopbine_schedule_free(schedule);
    /* hopbine check makes this proof too. */
    if (hopbine_check(argv[1], argv[2], p, 0, NULL, 0)) return failed();
    printf("%s %s is right for %d ranks\n", argv[1], argv[2], p);
    return 0;
}
