/* Eight collectives by number, on any communicator and root, with answers that can be compared.
 * All numbers are small integers: sums of them are exact in any order. */
#ifndef HOPBINE_BENCHMARKS_LEARNING_COLLECTIVES_H
#define HOPBINE_BENCHMARKS_LEARNING_COLLECTIVES_H
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

#include "../collective_names.h"

/* One call: the whole vector has `bytes`, of which a block is the part of one rank. */
struct call {
    int collective, bytes, root;
    MPI_Comm comm;
    int ranks, rank; /* of comm */
};

/* What a rank gives, what it gets, and the vector that is broadcast. */
struct buffers {
    float *from, *to, *vector;
};

static inline int vector_of(const struct call *c) { return c->bytes / (int)sizeof(float); }

/* Numbers of a block; one where the vector has fewer than ranks. */
static inline int block_of(const struct call *c) {
    const int n = vector_of(c) / c->ranks;
    return n ? n : 1;
}

/* Buffers for vectors of `most` bytes on `ranks` ranks. */
static inline struct buffers make_buffers(int most, int ranks, int rank) {
    const size_t n = (size_t)most / sizeof(float) + (size_t)ranks;
    struct buffers b = {malloc(n * sizeof(float)), malloc(n * sizeof(float)),
                        malloc(n * sizeof(float))};
    if (!b.from || !b.to || !b.vector) abort();
    /* All pages are touched here, not in the first calls. */
    for (size_t i = 0; i < n; ++i)
        b.to[i] = b.from[i] = b.vector[i] = (float)((7 * (size_t)rank + i) % 8);
    return b;
}

static inline void free_buffers(struct buffers *b) { free(b->from), free(b->to), free(b->vector); }

/* Makes the next call's contribution another than the last one's. */
static inline void renew(struct buffers *b, const struct call *c, int turn) {
    b->from[0] = b->vector[0] = (float)((c->rank + turn) % 8);
}

static inline void make_call(struct buffers *b, const struct call *c) {
    const int n = vector_of(c), m = block_of(c), root = c->root;
    float *const from = b->from, *const to = b->to;
    const MPI_Comm comm = c->comm;
    switch (c->collective) {
    case BCAST: MPI_Bcast(b->vector, n, MPI_FLOAT, root, comm); break;
    case REDUCE: MPI_Reduce(from, to, n, MPI_FLOAT, MPI_SUM, root, comm); break;
    case ALLREDUCE: MPI_Allreduce(from, to, n, MPI_FLOAT, MPI_SUM, comm); break;
    case REDUCE_SCATTER: MPI_Reduce_scatter_block(from, to, m, MPI_FLOAT, MPI_SUM, comm); break;
    case GATHER: MPI_Gather(from, m, MPI_FLOAT, to, m, MPI_FLOAT, root, comm); break;
    case SCATTER: MPI_Scatter(from, m, MPI_FLOAT, to, m, MPI_FLOAT, root, comm); break;
    case ALLGATHER: MPI_Allgather(from, m, MPI_FLOAT, to, m, MPI_FLOAT, comm); break;
    default: MPI_Alltoall(from, m, MPI_FLOAT, to, m, MPI_FLOAT, comm); break;
    }
}

/* Numbers that this rank got in a call: none where only the root gets any. */
static inline int answers_of(const struct call *c) {
    const int at_root = c->rank == c->root, m = block_of(c);
    switch (c->collective) {
    case REDUCE: return at_root ? vector_of(c) : 0;
    case GATHER: return at_root ? m * c->ranks : 0;
    case REDUCE_SCATTER:
    case SCATTER: return m;
    case ALLGATHER:
    case ALLTOALL: return m * c->ranks;
    default: return vector_of(c);
    }
}

/* Adds what a call gave to a checksum: all numbers, or just the first and the last, which costs
 * nothing that the next call would feel. */
static inline uint64_t add_answer(uint64_t sum, const struct buffers *b, const struct call *c,
                                  int all) {
    const float *const got = c->collective == BCAST ? b->vector : b->to;
    const int n = answers_of(c), step = all || n < 2 ? 1 : n - 1;
    for (int i = 0; i < n; i += step) sum = sum * 6364136223846793005u + (uint64_t)got[i] + 1;
    return sum;
}
#endif
