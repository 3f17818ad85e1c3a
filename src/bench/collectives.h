/* One call of each benchmarked collective, its data and the check of its answer. */
#ifndef HOPBINE_BENCH_COLLECTIVES_H
#define HOPBINE_BENCH_COLLECTIVES_H
#include <mpi.h>
#include <stddef.h>

#include "distribution.h"

enum element { INT32, FLOAT32, FLOAT64 };
/* Of an alltoallv's counts: other ones in every call than in the one before, or always the same. */
enum counts { NEW_COUNTS, SAME_COUNTS };

/* A collective on buffers of one size. Elements are small whole numbers, so every sum is exact in
 * every order. */
struct work {
    const char *collective;
    int root, rank, ranks;
    enum element element;
    size_t width;  /* bytes of an element */
    int n;         /* elements of the vector (bcast, reduce, allreduce), else elements of a block;
                      alltoallv: of the longest that can be */
    size_t vector; /* bytes the size class is named after: the vector, or a block times ranks;
                      alltoallv: a block on average */
    void *send, *recv; /* what the call is given */
    size_t send_bytes, recv_bytes;
    int *counts; /* reduce_scatter; alltoallv: of the send buffer, its displacements, of the receive
                    buffer, its displacements */
    struct distribution lengths; /* alltoallv: of the blocks; else its text is empty */
    enum counts of_calls;
    struct work *other; /* alltoallv with new counts: takes turns with this one; else NULL */
};

/* Sets up `w` for `size`: about so many bytes, for alltoallv what distribution.h reads. NULL, or
 * why that cannot be; then `w` is not to be closed. */
const char *work_open(struct work *w, const char *collective, const char *size,
                      enum element element, enum counts counts, int root, MPI_Comm comm);
void work_close(struct work *w);
/* Fills the buffers; different for every `round`, so that a stale answer is seen. With new counts
 * an alltoallv's blocks have new lengths in every round. */
void work_fill(struct work *w, int round);
/* The call itself. */
void work_call(struct work *w, MPI_Comm comm);
/* 1 when this rank's answer is right for `round`. */
int work_right(const struct work *w, int round);

#endif
