/* Numbers and names of the collectives that programs here call. */
#ifndef HOPBINE_BENCHMARKS_COLLECTIVE_NAMES_H
#define HOPBINE_BENCHMARKS_COLLECTIVE_NAMES_H
enum {
    BCAST,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER,
    GATHER,
    SCATTER,
    ALLGATHER,
    ALLTOALL,
    COLLECTIVES, /* that move data */
    BARRIER = COLLECTIVES,
    WITH_BARRIER
};
static const char *const NAMES[WITH_BARRIER] = {"bcast",          "reduce",   "allreduce",
                                                "reduce_scatter", "gather",   "scatter",
                                                "allgather",      "alltoall", "barrier"};
#endif
