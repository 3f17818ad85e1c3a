/* The program's collective calls on this rank: the preload library counts them for the runtime. */
#ifndef HOPBINE_MPI_CALL_COUNTS_H
#define HOPBINE_MPI_CALL_COUNTS_H

enum counted_kind { COUNT_CALL, COUNT_PERSISTENT, COUNT_KINDS, COUNT_NOT = -1 };

/* Indexed by counted_kind: blocking and nonblocking calls; persistent requests that were made. */
struct call_counts {
    long long made[COUNT_KINDS], served[COUNT_KINDS];
};

#endif
