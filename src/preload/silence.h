/* What the preload library has seen of MPI; evaluated when the process ends. */
#pragma once

/* Sets a flag once: a cache line that every thread writes in every call would move from core to
 * core. Relaxed: it is read when the process ends. */
#define HOPBINE_NOTE(flag)                                  \
    do                                                      \
        if (!__atomic_load_n(&(flag), __ATOMIC_RELAXED))    \
            __atomic_store_n(&(flag), 1, __ATOMIC_RELAXED); \
    while (0)
extern int hopbine_seen;   /* the stubs intercepted a call */
extern int hopbine_served; /* hopbine served a call */
/* Called when the program calls MPI_Abort. */
void silence_abort(void);
int silence_aborted(void); /* whether it has */
/* Called when the runtime has reported how many calls were served. */
void silence_told(void);
/* Whether PMIX_RANK or a similar variable is 0, or none is set. */
int hopbine_is_first(void);
