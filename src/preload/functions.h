/* Table of the interposed MPI functions. Columns:
 * - name, and number of arguments
 * - a bit for each argument that is a count (bit 0: the first argument)
 * - a bit for each argument that is an array of counts or displacements, one for every rank
 * - whether these arrays are significant at the root only
 * The communicator is the last argument, the root the one before. Each function also has its _c
 * form. */
#define HOPBINE_FUNCTIONS(X)               \
    X(Bcast, 5, 0x02, 0, 0)                \
    X(Reduce, 7, 0x04, 0, 0)               \
    X(Allreduce, 6, 0x04, 0, 0)            \
    X(Gather, 8, 0x12, 0, 0)               \
    X(Scatter, 8, 0x12, 0, 0)              \
    X(Gatherv, 9, 0x02, 0x30, 1)           \
    X(Scatterv, 9, 0x20, 0x06, 1)          \
    X(Allgather, 7, 0x12, 0, 0)            \
    X(Allgatherv, 8, 0x02, 0x30, 0)        \
    X(Reduce_scatter, 6, 0, 0x04, 0)       \
    X(Reduce_scatter_block, 6, 0x04, 0, 0) \
    X(Alltoall, 7, 0x12, 0, 0)             \
    X(Alltoallv, 9, 0, 0x66, 0)

/* Table of the request functions: name and number of arguments. Interposed while some of the
 * requests are hopbine's. */
#define HOPBINE_REQUEST_FUNCTIONS(X) \
    X(Start, 1)                      \
    X(Startall, 2)                   \
    X(Wait, 2)                       \
    X(Waitall, 3)                    \
    X(Waitany, 4)                    \
    X(Waitsome, 5)                   \
    X(Test, 3)                       \
    X(Testall, 4)                    \
    X(Testany, 5)                    \
    X(Testsome, 5)                   \
    X(Request_get_status, 3)         \
    X(Request_free, 1)
