#include "completion.h"

#include <sched.h>

typedef struct {
    Draw *draw;
    int n, all; /* active requests, and all of them */
    MPI_Request *requests;
    Finished finished;
    void *context;
} Waiting;

static void finish_all(const Waiting *w, int error) {
    for (int i = 0; i < w->n; ++i) w->finished(w->context, i, error);
}

static void by_wait(const Waiting *w) {
    for (int i = 0; i < w->n; ++i)
        w->finished(w->context, i, MPI_Wait(&w->requests[i], MPI_STATUS_IGNORE));
}

static void by_waitall(const Waiting *w) {
    MPI_Status statuses[MOST_REQUESTS];
    finish_all(
        w, MPI_Waitall(w->all, w->requests, one_in(w->draw, 2) ? statuses : MPI_STATUSES_IGNORE));
}

static void by_waitany(const Waiting *w) {
    for (int left = w->n, i; left > 0; --left) {
        const int error = MPI_Waitany(w->all, w->requests, &i, MPI_STATUS_IGNORE);
        if (i < 0 || i >= w->n) return;
        w->finished(w->context, i, error);
    }
}

static void some(const Waiting *w, int wait) {
    MPI_Status statuses[MOST_REQUESTS];
    int indices[MOST_REQUESTS], got;
    for (int left = w->n; left > 0; left -= got) {
        const int error =
            (wait ? MPI_Waitsome : MPI_Testsome)(w->all, w->requests, &got, indices, statuses);
        if (got == MPI_UNDEFINED) return;
        for (int k = 0; k < got; ++k) w->finished(w->context, indices[k], error);
        if (!got) sched_yield();
    }
}
static void by_waitsome(const Waiting *w) { some(w, 1); }
static void by_testsome(const Waiting *w) { some(w, 0); }

static void by_test(const Waiting *w) {
    for (int i = 0, over; i < w->n; ++i) {
        int error = MPI_Test(&w->requests[i], &over, MPI_STATUS_IGNORE);
        for (; !over && !error; error = MPI_Test(&w->requests[i], &over, MPI_STATUS_IGNORE))
            sched_yield();
        w->finished(w->context, i, error);
    }
}

static void by_testall(const Waiting *w) {
    int over = 0, error = MPI_SUCCESS;
    while (!over && !error) {
        error = MPI_Testall(w->all, w->requests, &over, MPI_STATUSES_IGNORE);
        if (!over) sched_yield();
    }
    finish_all(w, error);
}

static void by_testany(const Waiting *w) {
    for (int left = w->n, i, over; left > 0;) {
        const int error = MPI_Testany(w->all, w->requests, &i, &over, MPI_STATUS_IGNORE);
        if (!over && !error) {
            sched_yield();
            continue;
        }
        if (i < 0 || i >= w->n) return;
        w->finished(w->context, i, error);
        --left;
    }
}

static void by_status(const Waiting *w) {
    for (int i = 0, over = 0; i < w->n; ++i, over = 0) {
        while (!over && !MPI_Request_get_status(w->requests[i], &over, MPI_STATUS_IGNORE))
            sched_yield();
        w->finished(w->context, i, MPI_Wait(&w->requests[i], MPI_STATUS_IGNORE));
    }
}

static const struct {
    const char *name;
    void (*wait)(const Waiting *);
} ways[] = {
    {"Wait", by_wait},         {"Waitall", by_waitall},   {"Waitany", by_waitany},
    {"Waitsome", by_waitsome}, {"Test", by_test},         {"Testall", by_testall},
    {"Testany", by_testany},   {"Testsome", by_testsome}, {"Request_get_status", by_status}};

int draw_way(Draw *d) { return (int)draw_below(d, sizeof ways / sizeof *ways); }

const char *way_name(int way) { return ways[way].name; }

void complete(int way, Draw *d, int n, int all, MPI_Request *requests, Finished finished,
              void *context) {
    ways[way].wait(&(Waiting){d, n, all, requests, finished, context});
}
