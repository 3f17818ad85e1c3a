/* What a program may have under way on a communicator while it calls a collective on it. */
#ifndef HOPBINE_ATTACK_AROUND_H
#define HOPBINE_ATTACK_AROUND_H
#include "case.h"

enum { LETTERS = 3 };
typedef struct {
    MPI_Comm comm;
    int rank, size, wildcards, early, nonblocking, sent[LETTERS], got[LETTERS], sum, one;
    MPI_Request sends[LETTERS], receives[LETTERS], collective;
} Around;

/* Draws what is under way and begins it. */
void begin_around(Around *a, const Place *w, Draw *d);
/* Ends it. Null, or what went wrong. */
const char *end_around(Around *a);

#endif
