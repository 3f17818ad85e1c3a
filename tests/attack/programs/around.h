/* Operations that are pending on a communicator while a collective is called on it. */
#ifndef HOPBINE_ATTACK_AROUND_H
#define HOPBINE_ATTACK_AROUND_H
#include "case.h"

enum { MESSAGES = 3 };
typedef struct {
    MPI_Comm comm;
    int rank, size, wildcards, early, nonblocking, sent[MESSAGES], got[MESSAGES], sum, one;
    MPI_Request sends[MESSAGES], receives[MESSAGES], collective;
} Around;

/* Draws the pending operations and starts them. */
void begin_around(Around *a, const TestComm *w, Draw *d);
/* Completes them. Null, or the error. */
const char *end_around(Around *a);

#endif
