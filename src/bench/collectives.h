/* One call of each benchmarked collective, its data and the check of its answer. */
#ifndef HOPBINE_BENCH_COLLECTIVES_H
#define HOPBINE_BENCH_COLLECTIVES_H
#include <mpi.h>
#include <stddef.h>

enum element { INT32, FLOAT32, FLOAT64 };

/* A collective on buffers of one size. Elements are small whole numbers, so every sum is exact in every order. */
struct work {
    const char *collective;
    int root, rank, ranks;
    enum element element;
    size_t width;      /* bytes of an element */
    int n;             /* elements of the vector (bcast, reduce, allreduce), else elements of a block; alltoallv: of a block on average */
    size_t vector;     /* bytes the size class is named after: the vector, or a block times ranks; alltoallv: a block on average */
    void *send, *recv; /* what the call is given */
    size_t send_bytes, recv_bytes;
    int *counts; /* reduce_scatter; alltoallv: of the send buffer, its displacements, of the receive buffer, its displacements */
};

/* Sets up `w` for about `bytes`; 0, or -1 when the collective is unknown or memory is short. */
int work_open(struct work *w, const char *collective, size_t bytes, enum element element, int root, MPI_Comm comm);
void work_close(struct work *w);
/* Fills the buffers; different for every `round`, so that a stale answer is seen. An alltoallv's blocks have new lengths in every round. */
void work_fill(struct work *w, int round);
/* The call itself. */
void work_call(struct work *w, MPI_Comm comm);
/* 1 when this rank's answer is right for `round`. */
int work_right(const struct work *w, int round);

#endif
