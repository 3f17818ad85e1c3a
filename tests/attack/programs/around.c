#include "around.h"

static void send(Around *a) {
    for (int i = 0; i < MESSAGES; ++i)
        MPI_Isend(&a->sent[i], 1, MPI_INT, (a->rank + 1) % a->size, i, a->comm, &a->sends[i]);
}

void begin_around(Around *a, const TestComm *w, Draw *d) {
    *a = (Around){.comm = w->comm,
                  .rank = w->rank,
                  .size = w->size,
                  .one = 1,
                  .collective = MPI_REQUEST_NULL};
    a->wildcards = one_in(d, 3) && !w->inter;
    a->early = one_in(d, 2);
    a->nonblocking = one_in(d, 4) ? 1 + (int)draw_below(d, 2) : 0;
    if (w->inter) a->nonblocking = 0;
    for (int i = 0; i < MESSAGES; ++i) a->sent[i] = 100 * w->rank + i, a->got[i] = -1;
    for (int i = 0; a->wildcards && i < MESSAGES; ++i)
        MPI_Irecv(&a->got[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &a->receives[i]);
    if (a->wildcards && a->early) send(a);
    if (a->nonblocking == 1) MPI_Ibarrier(w->comm, &a->collective);
    if (a->nonblocking == 2)
        MPI_Iallreduce(&a->one, &a->sum, 1, MPI_INT, MPI_SUM, w->comm, &a->collective);
}

const char *end_around(Around *a) {
    MPI_Status status[MESSAGES];
    const char *wrong = NULL;
    if (a->wildcards) {
        if (!a->early) send(a);
        MPI_Waitall(MESSAGES, a->receives, status);
        MPI_Waitall(MESSAGES, a->sends, MPI_STATUSES_IGNORE);
        const int left = (a->rank + a->size - 1) % a->size;
        for (int i = 0; i < MESSAGES; ++i)
            if (a->got[i] != 100 * left + i || status[i].MPI_SOURCE != left ||
                status[i].MPI_TAG != i)
                wrong = "a receive with wildcards got another message";
    }
    if (a->nonblocking) MPI_Wait(&a->collective, MPI_STATUS_IGNORE);
    if (a->nonblocking == 2 && a->sum != a->size)
        wrong = "a nonblocking allreduce begun before is wrong";
    return wrong;
}
