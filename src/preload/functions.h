/* The MPI functions that are interposed, as one table: name, number of arguments, and a bit for each argument that is a
 * count (bit 0: the first). Each also has its _c form. Reduce_scatter's counts are an array: ARRAY. */
enum { ARRAY = 0 };
#define HOPBINE_FUNCTIONS(X)       \
    X(Bcast, 5, 0x02)              \
    X(Reduce, 7, 0x04)             \
    X(Allreduce, 6, 0x04)          \
    X(Gather, 8, 0x12)             \
    X(Scatter, 8, 0x12)            \
    X(Allgather, 7, 0x12)          \
    X(Reduce_scatter, 6, ARRAY)    \
    X(Reduce_scatter_block, 6, 0x04) \
    X(Alltoall, 7, 0x12)
