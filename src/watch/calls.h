/* The calls that are watched, by number, and where in a call's arguments its communicator is. */
#ifndef HOPBINE_WATCH_CALLS_H
#define HOPBINE_WATCH_CALLS_H
#include <stdint.h>

#include "../preload/functions.h"

#define WATCH_FORMS(name, iname, ...) WATCH_##name, WATCH_##iname, WATCH_##name##_init,
#define WATCH_ONE(name, ...) WATCH_##name,
enum watch_function {
    WATCH_NOT,
    HOPBINE_ALL_FUNCTIONS(WATCH_FORMS) WATCH_Barrier,
    WATCH_Ibarrier,
    WATCH_Barrier_init,
    HOPBINE_MAKING_FUNCTIONS(WATCH_ONE) WATCH_Finalize,
    WATCH_COLLECTIVES, /* those before it have an order on their communicator */
    HOPBINE_WAIT_FUNCTIONS(WATCH_ONE) HOPBINE_POINT_FUNCTIONS(WATCH_ONE)
        HOPBINE_POLL_FUNCTIONS(WATCH_ONE) WATCH_FUNCTIONS,
    /* Functions of the tables that nobody waits in. */
    WATCH_Cancel = WATCH_NOT,
    WATCH_Type_free = WATCH_NOT,
    WATCH_Op_free = WATCH_NOT
};
enum { WATCH_LARGE = 1 << 16 /* added to a function's number: its counts are of MPI_Count */ };

/* Whether its calls have an order on their communicator. */
static inline int watch_is_collective(uint64_t function) {
    return function != WATCH_NOT && (function & (WATCH_LARGE - 1)) < WATCH_COLLECTIVES;
}

#endif
