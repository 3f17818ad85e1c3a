/* One call of each benchmarked collective, its data and the check of its result. */
#ifndef HOPBINE_BENCH_COLLECTIVES_H
#define HOPBINE_BENCH_COLLECTIVES_H
#include <mpi.h>
#include <stddef.h>

#include "distribution.h"

enum element { INT32, FLOAT32, FLOAT64 };
/* Counts of an alltoallv: others in every call than in the one before, or always the same. */
enum counts { NEW_COUNTS, SAME_COUNTS };

/* A collective on buffers of one size. Elements are small whole numbers, so every sum is exact in
 * every order. */
struct work {
    const char *collective;
    int root, rank, ranks;
    enum element element;
    size_t width;  /* bytes of an element */
    int n;         /* elements of the vector (bcast, reduce, allreduce, scan, exscan) or of a block;
                      alltoallv: of the longest possible block */
    size_t vector; /* bytes that name the size class: of the vector, or of a block times ranks;
                      alltoallv: of a block on average */
    void *send, *recv; /* buffers of the call */
    size_t send_bytes, recv_bytes;
    int *counts; /* reduce_scatter: counts; alltoallv: counts and displacements of the send buffer,
                    then of the receive buffer */
    struct distribution lengths; /* alltoallv: sizes of the blocks; else its text is empty */
    enum counts of_calls;
    struct work *other; /* alltoallv with new counts: calls alternate with this one; else NULL */
};

/* Sets up `w` for about `size` bytes; for alltoallv `size` is as distribution.h reads it. NULL, or
 * the error; then `w` must not be closed. */
const char *work_open(struct work *w, const char *collective, const char *size,
                      enum element element, enum counts counts, int root, MPI_Comm comm);
void work_close(struct work *w);
/* Fills the buffers, differently in every `round`: a stale result is detected. With new counts an
 * alltoallv's blocks have new sizes in every round. */
void work_fill(struct work *w, int round);
/* The MPI functions of the collectives. */
#define WORK_FUNCTIONS(F) \
    F(Bcast)              \
    F(Reduce)             \
    F(Allreduce)          \
    F(Reduce_scatter)     \
    F(Scatter) F(Gather) F(Allgather) F(Alltoall) F(Alltoallv) F(Barrier) F(Scan) F(Exscan)
struct work_functions {
#define WORK_FUNCTION(name) __typeof__(&MPI_##name) name;
    WORK_FUNCTIONS(WORK_FUNCTION)
#undef WORK_FUNCTION
};
/* The functions as a program calls them. */
extern const struct work_functions work_as_called;
/* Calls the collective by one of the functions. Returns MPI's error code. */
int work_call_by(const struct work_functions *by, struct work *w, MPI_Comm comm);
/* Calls the collective as a program does. */
void work_call(struct work *w, MPI_Comm comm);
/* 1 when this rank's result is correct for `round`. */
int work_right(const struct work *w, int round);

#endif
