/* What a program may have under way on a communicator while it calls a collective on it. */
#ifndef HOPBINE_ATTACK_AROUND_H
#define HOPBINE_ATTACK_AROUND_H
#include "case.h"

enum { MESSAGES = 3 };
typedef struct {
    MPI_Comm comm;
    int rank, size, wildcards, early, nonblocking, sent[MESSAGES], got[MESSAGES], sum, one;
    MPI_Request sends[MESSAGES], receives[MESSAGES], collective;
} Around;

/* Draws what is under way and begins it. */
void begin_around(Around *a, const TestComm *w, Draw *d);
/* Ends it. Null, or what went wrong. */
const char *end_around(Around *a);

#endif
