/* What the preload library has seen of MPI; read when the process ends. */
#pragma once

#define HOPBINE_NOTE(flag) __atomic_store_n(&(flag), 1, __ATOMIC_RELAXED)
extern int hopbine_seen;   /* a call of the program came through the stubs */
extern int hopbine_served; /* one was served */
/* "PMIX_RANK" and its like say 0, or there is none. */
int hopbine_is_first(void);
