/* One operation of a drawn program, in one of its forms, from its call to the check of its
 * result. */
#ifndef HOPBINE_ATTACK_OPERATION_H
#define HOPBINE_ATTACK_OPERATION_H
#include "calls.h"

typedef struct {
    /* Drawn, and the same on all ranks. */
    int barrier, comm, segment, frees; /* comm: index in the program; frees: handles under way */
    unsigned starts;                   /* persistent: bit s, whether it is started in segment s */
    Form form;
    /* On this rank. */
    int present, slot, profiled; /* slot: of a barrier */
    long time;
    Case c;
    Memory send, recv;
    Arguments a;
    Arrays arrays;
    MPI_Request request;
    MPI_Op own_op;
    int since, started; /* the segments of the call or last start, and of the last start */
    int begun, active, rounds, served; /* served: the request is hopbine's */
    int freed;                         /* its handles */
    uint64_t hash;
    char text[1400], by[100], wrong[400]; /* wrong: empty, or the first error */
} Drawn;

/* Draws everything but the form and what the program decides. */
void draw_operation(Drawn *o, const TestComm *on, uint64_t key, uint64_t local, int function);
void end_operation(Drawn *o);
/* Calls it: a blocking one is complete then, a nonblocking one is active, and a persistent one has
 * its request. `own`: by the MPI library itself. */
void begin_operation(Drawn *o, int own);
/* Before a persistent operation is started again: other data. */
void renew_operation(Drawn *o);
/* After it has been started, with an error code. */
void mark_started(Drawn *o, int error);
/* When a function has told that its request has completed, with an error code: checks the
 * result. */
void check_operation(Drawn *o, int error, const char *by);
/* Whether `o` was begun, and its handles may go while it is under way. */
int stands_frees(const Drawn *o);
/* Frees a persistent request. */
void free_persistent(Drawn *o);

#endif
