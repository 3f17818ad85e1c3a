/* The MPI functions that are interposed, as one table: name and number of arguments. Each also has its _c form. */
#define HOPBINE_FUNCTIONS(X) \
    X(Bcast, 5)              \
    X(Reduce, 7)             \
    X(Allreduce, 6)          \
    X(Gather, 8)             \
    X(Scatter, 8)            \
    X(Allgather, 7)          \
    X(Reduce_scatter, 6)     \
    X(Reduce_scatter_block, 6) \
    X(Alltoall, 7)
