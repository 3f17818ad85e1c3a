/* Table of the interposed MPI functions. Columns:
 * - name, and that of the nonblocking form; the persistent form is called name_init
 * - number of arguments, and that of the nonblocking form, which also has a request; the persistent
 *   form also has an info
 * - a bit for each argument that is a count (bit 0: the first argument)
 * - a bit for each argument that is an array of counts or displacements, one for every rank
 * - whether these arrays are significant at the root only
 * The communicator is the last argument but for these, the root the one before. Each form also has
 * its _c form. */
#define HOPBINE_FUNCTIONS(X)                                         \
    X(Bcast, Ibcast, 5, 6, 0x02, 0, 0)                               \
    X(Reduce, Ireduce, 7, 8, 0x04, 0, 0)                             \
    X(Allreduce, Iallreduce, 6, 7, 0x04, 0, 0)                       \
    X(Gather, Igather, 8, 9, 0x12, 0, 0)                             \
    X(Scatter, Iscatter, 8, 9, 0x12, 0, 0)                           \
    X(Gatherv, Igatherv, 9, 10, 0x02, 0x30, 1)                       \
    X(Scatterv, Iscatterv, 9, 10, 0x20, 0x06, 1)                     \
    X(Allgather, Iallgather, 7, 8, 0x12, 0, 0)                       \
    X(Allgatherv, Iallgatherv, 8, 9, 0x02, 0x30, 0)                  \
    X(Reduce_scatter, Ireduce_scatter, 6, 7, 0, 0x04, 0)             \
    X(Reduce_scatter_block, Ireduce_scatter_block, 6, 7, 0x04, 0, 0) \
    X(Alltoall, Ialltoall, 7, 8, 0x12, 0, 0)                         \
    X(Alltoallv, Ialltoallv, 9, 10, 0, 0x66, 0)                      \
    X(Scan, Iscan, 6, 7, 0x04, 0, 0)                                 \
    X(Exscan, Iexscan, 6, 7, 0x04, 0, 0)

/* Table of the interposed functions without counts, which have no _c form: name and number of
 * arguments. */
#define HOPBINE_PLAIN_FUNCTIONS(X) \
    X(Barrier, 1) X(Ibarrier, 2) X(Barrier_init, 3) X(Cancel, 1) X(Type_free, 1) X(Op_free, 1)

/* Table of the functions of persistent requests: name and number of arguments. Interposed while
 * some of the requests are hopbine's. */
#define HOPBINE_REQUEST_FUNCTIONS(X) X(Start, 1) X(Startall, 2) X(Request_free, 1)

/* Table of persistent collectives that are only passed on: name and number of arguments. Programs
 * that find one (by a weak reference) expect all, and Open MPI 4.1 has them under other names. */
#define HOPBINE_PASSED_FUNCTIONS(X) \
    X(Alltoallw_init, 11)           \
    X(Neighbor_allgather_init, 9)   \
    X(Neighbor_allgatherv_init, 10) \
    X(Neighbor_alltoall_init, 9)    \
    X(Neighbor_alltoallv_init, 11)  \
    X(Neighbor_alltoallw_init, 11)
