/* What the preload library has seen of MPI; read when the process ends. */
#pragma once

/* Once: a line that every thread writes to in every call would go from core to core. */
#define HOPBINE_NOTE(flag)                                  \
    do                                                      \
        if (!__atomic_load_n(&(flag), __ATOMIC_RELAXED))    \
            __atomic_store_n(&(flag), 1, __ATOMIC_RELAXED); \
    while (0)
extern int hopbine_seen;   /* a call of the program came through the stubs */
extern int hopbine_served; /* one was served */
/* The program aborts itself. */
void silence_abort(void);
/* "PMIX_RANK" and its like say 0, or there is none. */
int hopbine_is_first(void);
